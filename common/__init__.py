"""What every room needs and is not Go, with the standard library only. Where to look for what:

    excerpts        hostile texts, fit to be shown
    files           written beside and renamed: whole, or not at all
    tables          TOML that people write, every value checked
    command_lines   exit statuses, complaints in one line, numbers that are checked
"""
