import re

import pytest

from campaigns.templatetags.clocks import slices


@pytest.mark.parametrize("segments", range(2, 13))
def test_the_segments_close_the_circle(segments):
    corners = [re.fullmatch(r"M50 50L(\S+ \S+)A48 48 0 0 1 (\S+ \S+)Z", d).groups() for d in slices(segments)]
    assert len(corners) == segments
    assert all(end == start for (_, end), (start, _) in zip(corners, corners[1:] + corners[:1], strict=True))
    assert corners[0][0] == "50.00 2.00"


def test_segments_follow_each_other_clockwise():
    assert slices(4)[0] == "M50 50L50.00 2.00A48 48 0 0 1 98.00 50.00Z"
