# Makes and heals the private environment in .venv; ./play and ./test source this file. POSIX sh.
#
# How it works: what an environment was made from (Python, place, lock, this file) is one line of text, its stamp.
# The stamp is written last; where it differs from what is wanted, the set-up runs. Everything that can be cut off
# half-way happens while .venv/unfinished exists, and an environment found with that mark is made anew. So a second
# run takes no network and well under a second, and a run after an interruption mends what was left.
#
# Needs from its caller: $root (the checkout) and $what (play or test). Gives: $venv.

say() { printf 'cowboard: %s\n' "$*" >&2; }

die() {
    say "$*"
    exit 1
}

# The first Python that is new enough; what it is goes to $facts: version, bits, machine, ensurepip, picamera2, cv2.
find_python() {
    seen=
    for python in python3 python3.13 python3.12 python3.11 python3.14; do
        command -v "$python" >/dev/null 2>&1 || continue
        facts=$("$python" -c '
import platform, struct, sys
from importlib.util import find_spec
has = [str(bool(find_spec(name))) for name in ("ensurepip", "picamera2", "cv2")]
print("%d.%d" % sys.version_info[:2], platform.python_version(), struct.calcsize("P") * 8, platform.machine(), *has)
' 2>/dev/null) || continue
        case $facts in
        3.11\ * | 3.12\ * | 3.13\ * | 3.14\ *) return ;;
        esac
        seen="$seen $python is $(echo "$facts" | cut -d' ' -f2),"
    done
    die "needs Python 3.11 to 3.14;${seen:- found none,} Debian 12 and Raspberry Pi OS Bookworm or later have it: apt-get install python3"
}

# Installs Debian packages where that needs no question, else says the one line to type.
install_packages() {
    command -v apt-get >/dev/null 2>&1 || die "please install what Debian calls $*, then run ./$what again"
    if [ "$(id -u)" = 0 ]; then
        as_root="env"
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root="sudo -n env"
    else
        die "please type:  sudo apt-get install -y --no-install-recommends $*  and run ./$what again"
    fi
    say "installing $* with apt-get"
    # A list of packages that can't be renewed may still be good enough for what is wanted.
    $as_root DEBIAN_FRONTEND=noninteractive apt-get -q update >>"$log" 2>&1 || true
    $as_root DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$@" </dev/null >>"$log" 2>&1 ||
        failed "apt-get could not install $*"
}

failed() {
    tail -n 5 "$log" >&2
    die "$1; the lines above are the end of $log"
}

make_venv() {
    rm -rf "$venv"
    if [ "$kind" = pi ]; then
        "$python" -m venv --system-site-packages "$venv" >>"$log" 2>&1 || failed "could not make $venv"
    else
        "$python" -m venv "$venv" >>"$log" 2>&1 || failed "could not make $venv"
    fi
}

# pip looks only at wheels whose hash is in the lock, whichever index or mirror they come from.
install_locked() {
    : >"$venv/unfinished"
    PIP_USER=0 "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --require-hashes \
        --only-binary :all: --requirement "$lock" >>"$log" 2>&1 || failed "could not install the packages of $lock"
    PIP_USER=0 "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --no-index --no-deps \
        --no-build-isolation --editable "$root" >>"$log" 2>&1 || failed "could not install the cowboard command"
    printf '%s\n' "$made_of" >"$venv/made-of"
    printf '%s\n' "$wanted" >"$stamp"
    rm "$venv/unfinished"
}

is_ready() {
    [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && [ ! -e "$venv/unfinished" ] && [ -x "$venv/bin/python" ]
}

set_up() {
    is_ready && return # another ./play or ./test was first
    : >"$log"
    say "setting up $venv; this takes a minute or two and happens once"
    if [ -e "$venv/unfinished" ] || [ "$(cat "$venv/made-of" 2>/dev/null)" != "$made_of" ] ||
        ! "$venv/bin/python" -m pip --version >>"$log" 2>&1; then
        make_venv
    fi
    install_locked
    say "ready"
}

# A file's contents as a number.
sum() { cksum <"$1"; }

prepare() {
    unset PYTHONHOME PYTHONPATH
    log=$root/var/setup.log
    mkdir -p "$root/var" 2>/dev/null || die "can't write in $root"
    (: >>"$log") 2>/dev/null || die "can't write $log"
    find_python
    # shellcheck disable=SC2086 # the facts are words without blanks
    set -- "$@" -- $facts
    packages=
    while [ "$1" != -- ]; do
        packages="$packages $1"
        shift
    done
    shift
    [ "$3" = 64 ] || die "needs a 64-bit system; this Python is built for $3 bits (on a Pi: Raspberry Pi OS 64-bit)"
    venv=$root/.venv kind=$what
    if [ "$6" = True ] && [ "$what" = play ]; then
        # apt's picamera2 is built against apt's NumPy, so that NumPy and OpenCV come from apt as well.
        kind=pi
        [ "$7" = True ] || packages="$packages python3-opencv"
    elif [ "$6" = True ]; then
        venv=$root/.venv-test # the tests bring a NumPy that apt's picamera2 can't use
    fi
    [ "$5" = True ] || packages="python3-venv$packages"
    # shellcheck disable=SC2086 # package names are words
    [ -z "$packages" ] || install_packages $packages
    lock=$root/requirements/$kind.lock
    stamp=$venv/$kind.stamp
    made_of="python $2 $4 kind $([ "$kind" = pi ] && echo system || echo own) at $root"
    wanted="$made_of; $kind lock $(sum "$lock"), project $(sum "$root/pyproject.toml"), $(sum "$root/requirements/environment.sh")"
    is_ready && return
    (
        flock 9 2>/dev/null || true # two set-ups at once would spoil each other's work
        set_up
    ) 9>"$root/var/setup.lock"
}
