#!/usr/bin/env bash
# Run once, as root, when the image is built: finds or installs Python 3.11 or newer, a sandbox, compilers and packages.
set -eu
source="${AUTOGRADER_ROOT:-/autograder}/source"
environment="${AUTOGRADER_PYTHON:-/opt/autograder-python}"
export DEBIAN_FRONTEND=noninteractive

install() { apt-get install -y --no-install-recommends "$@"; }

# Submissions never run as root, so another user must be able to run the interpreter: not what lies in root's home directory.
others_can_run() {
    [ "$EUID" -ne 0 ] || PYTHONPATH="$source/harness" "$1" -s -P -c 'import sys
from gojudge.sandbox.launching import interpreter
from gojudge.sandbox.launching import what_keeps_others_out
sys.exit(what_keeps_others_out(interpreter()) or None)'
}

# Prints the first Python that is new enough and of which "$@" is true as well.
find_python() {
    for program in $(type -ap python3 python3.{29..11}); do
        if "$program" -c 'import sys; sys.exit(sys.version_info < (3, 11))' && "$@" "$program"; then
            echo "$program"
            return
        fi
    done
    return 1
}

apt-get update || echo "no package lists: what is installed must do"
# Ubuntu 22.04 has Python 3.10 under the name of python3.
python="$(find_python others_can_run || { install python3 >&2 && find_python others_can_run; } ||
    { install python3.11 >&2 && find_python others_can_run; } || find_python true)"
others_can_run "$python" || echo "only root can run $python: in a sandbox weaker than T2 nothing will be graded"

# Without it, or where the container forbids namespaces, a weaker sandbox is used; every result says which.
install bubblewrap || echo "no bubblewrap"
if [ -s "$source/packages.txt" ]; then
    # shellcheck disable=SC2046
    install $(cat "$source/packages.txt")
fi

if [ -s "$source/requirements.txt" ]; then
    version="$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')"
    "$python" -c 'import ensurepip, venv' || install "$version-venv"
    "$python" -m venv "$environment"
    "$environment/bin/python" -m pip install --no-cache-dir -r "$source/requirements.txt"
    python="$environment/bin/python"
fi

"$python" -m compileall -q "$source/harness"
printf '%s\n' "$python" > "$source/python"
