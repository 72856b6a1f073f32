"""Which pages of a surveyed site a browser opens: few, each because something is to be tried there."""

from readiness.browsing.browser import PageToOpen
from readiness.survey.site import Role, SurveyedSite

SEARCHED = (Role.INVENTORY,)
BOOKED = (Role.SCHEDULE, Role.CONTACT)


def pages_to_open(site: SurveyedSite) -> list[PageToOpen]:
    """Return home, the list of vehicles, and the page on which an appointment is made; each was read before."""
    pages = [PageToOpen(site.home.final_url, ("telephone", "search"))]
    for roles, task in ((SEARCHED, "search"), (BOOKED, "appointment")):
        visit = next((visit for role in roles if (visit := site.role(role)) is not None and visit.ok), None)
        if visit is not None:
            pages.append(PageToOpen(visit.final_url, (task, "telephone")))
    return list({page.url: page for page in pages}.values())
