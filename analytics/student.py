"""Student's t distribution from the incomplete beta function: tail probabilities and quantiles."""

from functools import cache
from math import exp, inf, lgamma, log

_TINY = 1e-300
_PRECISION = 1e-16
_MOST_TERMS = 1000
_HALVINGS = 200


def two_sided_p(t: float, degrees: int) -> float:
    """Probability of a |t| at least this large with `degrees` (at least 1) degrees of freedom."""
    square = t * t
    if square == inf:
        return 0.0
    # The two arguments add up to one; each is computed on its own, so that neither tail loses digits.
    return _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + square), square / (degrees + square))


@cache
def quantile(level: float, degrees: int) -> float:
    """Value that a t variable stays below with probability `level`, which is above one half and below 1.

    Found by bisection of the tail probability down to neighboring floats.
    """
    tail = 2 * (1 - level)
    low, high = 0.0, 1.0
    while two_sided_p(high, degrees) > tail:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if two_sided_p(middle, degrees) > tail:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float, complement: float) -> float:
    """Regularized incomplete beta function I_x(a, b); `complement` is 1 - x.

    Source: W. J. Lentz's evaluation of the continued fraction, Numerical Recipes, section 6.4.
    """
    if x <= 0 or complement <= 0:
        return 0.0 if x <= 0 else 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(complement))
    if x < (a + 1) / (a + b + 2):
        return front * _continued_fraction(a, b, x) / a
    return 1 - front * _continued_fraction(b, a, complement) / b


def _continued_fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _nonzero(1 + term * d)
            c = _nonzero(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return value


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
