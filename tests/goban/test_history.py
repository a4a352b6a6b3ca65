from goban.history import History


def test_a_line_of_play_shares_one_history():
    history = History([])
    for number, situation in enumerate([11, 12, 13]):
        assert history.extended(situation, number) is history
    assert history.entries(3) == (11, 12, 13)


def test_each_state_sees_its_own_past_only():
    history = History([11, 12, 13])
    assert history.first(13, before=3) == 2
    assert history.first(13, before=2) is None
    assert history.first(99, before=3) is None


def test_a_situation_is_found_where_it_stood_first():
    history = History([11, 12, 11])
    assert history.first(11, before=3) == 0


def test_a_second_branch_gets_a_history_of_its_own():
    history = History([11, 12, 13])
    branch = history.extended(99, 1)
    assert branch.entries(2) == (11, 99)
    assert history.entries(3) == (11, 12, 13)
    assert history.first(99, before=3) is None


def test_missing_moves_become_the_empty_board():
    assert History([]).extended(11, 2).entries(3) == (0, 0, 11)
