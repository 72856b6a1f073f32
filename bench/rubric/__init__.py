"""The rubric for what workflows give: specific, evidenced, correct, usable, and nothing said twice."""
