#!/usr/bin/env bash
# Run for each submission, in the folder of its files: plays it, and writes $vocareumGradeFile and $vocareumReportFile.
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
for python in python3 python3.{29..11}; do
    if "$python" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
        export PYTHONPATH="$here/harness"
        exec "$python" -s -P -m tournament autograder-run vocareum --root "$here"
    fi
done
echo "This submission was not graded, which says nothing about it: the container has no Python 3.11 or newer. \
Please tell the course's staff." > "${vocareumReportFile:-/dev/stderr}"
exit 1
