"""What every room needs and is not Go, with the standard library only. Where to look for what:

    excerpts        makes hostile texts fit to be shown
    files           writes files whole or not at all
    tables          reads TOML that people write, and checks every value
    command_lines   exit statuses, errors in one line, numbers that are checked
"""
