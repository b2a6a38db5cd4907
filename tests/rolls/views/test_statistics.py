"""The page of statistics: filters in the address, honest about what is not there."""

from django.urls import reverse

from rolls.models import Audience


def ask(who, cast, status=200, **query):
    answer = who.client.get(reverse("statistics", args=[cast.campaign.slug]), query)
    assert answer.status_code == status
    return answer.content.decode()


def test_before_the_first_roll_it_says_when_the_figures_begin(cast):
    assert "No rolls yet" in ask(cast.spectator, cast)


def test_figures_come_as_bars_charts_and_tables(cast, play):
    play.roll(9, 8, 5, 3, 4)
    shown = ask(cast.spectator, cast)
    assert "1 of 1 roll succeeded" in shown and 'class="rate"' in shown and "columns-mark" in shown
    assert "Show as a table" in shown


def test_a_filter_that_fits_nothing_is_refused_in_words(cast, play):
    play.roll(9, 8, 5, 3, 4)
    assert "No rolls match" in ask(cast.player, cast, status=422, trait="Xylophone")


def test_nothing_of_a_hidden_roll_can_be_chosen(cast, play):
    play.roll(9, 8, 5, 3, 4, by=play.gm, audience=Audience.GM, character=play.vesper.pk)
    assert "Vesper" in ask(cast.gm, cast)
    assert "No rolls yet" in ask(cast.player, cast)
