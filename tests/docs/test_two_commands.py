"""`./play` and `./test` on machines of every kind, with a Python, a sudo and an apt-get that only say they did it.

How it works: a checkout with the two commands and the locks stands in a temporary folder, the programs they call stand
in another one at the head of PATH. The stand-in for Python tells the facts the test wants, makes environments that hold
itself, and writes down what pip was asked for. So every path through the set-up runs in no time and without a network.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.support.tree import ROOT

SCRIPTS = ("play", "test", "requirements/environment.sh", "requirements/renew")
# What the two commands may call besides; every Debian has them.
TOOLS = ("cat", "chmod", "cksum", "cp", "cut", "dirname", "env", "flock", "grep", "mkdir", "rm", "sed", "tail", "touch")
LOCKS = ("play", "test", "pi")

PYTHON = """#!/bin/sh
# Stands in for Python; $STAGE holds what it is told and what it did.
case $1 in
-c) cat "$STAGE/facts" ;;
-m)
    case $2 in
    venv)
        for folder; do :; done
        echo "$*" | sed "s#$folder#VENV#" >>"$STAGE/did"
        mkdir -p "$folder/bin"
        cp "$0" "$folder/bin/python"
        ;;
    pip)
        case $3 in
        --version) exit 0 ;;
        install)
            echo "pip $(echo "$*" | grep -o '[a-z]*\\.lock\\|--editable')" >>"$STAGE/did"
            [ ! -e "$STAGE/no-network" ] || { echo "no route to the index" >&2; exit 1; }
            printf '#!/bin/sh\\necho "cowboard in $PWD: $*"\\n' >"$(dirname "$0")/cowboard"
            chmod +x "$(dirname "$0")/cowboard"
            ;;
        esac
        ;;
    pytest)
        shift 2
        echo "pytest in $PWD: $*"
        ;;
    esac
    ;;
esac
"""


class Machine:
    """A checkout and the programs round it. `facts`: version twice, bits, machine, ensurepip, picamera2, cv2."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.checkout = folder / "a check out"
        self.programs = folder / "bin"
        for name in ("play", "test", "pyproject.toml"):
            self.checkout.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, self.checkout)
        shutil.copytree(ROOT / "requirements", self.checkout / "requirements")
        self.programs.mkdir()
        self.program("python3", PYTHON)
        for name in TOOLS:
            (self.programs / name).symlink_to(str(shutil.which(name)))
        for name in ("chromium", "chromedriver"):
            self.program(name, "#!/bin/sh\n")
        self.program("id", "#!/bin/sh\necho 1000\n")
        self.program("sudo", '#!/bin/sh\necho "sudo $*" >>"$STAGE/did"\nexit 1\n')
        self.program("apt-get", '#!/bin/sh\necho "apt-get $*" >>"$STAGE/did"\n')
        for name in ("python3.11", "python3.12", "python3.13", "python3.14"):
            self.program(name, "#!/bin/sh\nexit 127\n")
        self.facts("3.13 3.13.5 64 aarch64 True False False")

    def program(self, name: str, text: str) -> None:
        path = self.programs / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def facts(self, facts: str) -> None:
        (self.folder / "facts").write_text(facts + "\n", encoding="utf-8")

    def run(self, command: str, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.programs), "STAGE": str(self.folder), "HOME": str(self.folder)}
        return subprocess.run(
            [str(self.checkout / command), *arguments],
            cwd=cwd or self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def did(self) -> list[str]:
        """What was done since this was asked last."""
        path = self.folder / "did"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


WHOLE = ["-m venv VENV", "pip play.lock", "pip --editable"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_scripts_are_plain_shell(script: str) -> None:
    text = (ROOT / script).read_text(encoding="utf-8")
    checked = subprocess.run(["sh", "-n", str(ROOT / script)], capture_output=True, text=True, check=False)

    assert checked.stderr == ""
    assert not re.search(r"\[\[|\blocal\b|\bfunction\b|<<<|\bsource\b|==", re.sub(r"#.*", "", text))


def test_play_sets_up_once_and_passes_arguments_and_folder_on(machine: Machine) -> None:
    elsewhere = machine.folder / "elsewhere"
    elsewhere.mkdir()
    first = machine.run("play", "--camera", "a b.mp4", cwd=elsewhere)

    assert first.stdout == f"cowboard in {elsewhere}: serve --camera a b.mp4\n"
    assert machine.did() == WHOLE

    second = machine.run("play", cwd=elsewhere)

    assert (second.stdout, second.stderr) == (f"cowboard in {elsewhere}: serve\n", "")
    assert machine.did() == []


def test_test_runs_pytest_in_the_checkout(machine: Machine) -> None:
    done = machine.run("test", "-k", "a or b")

    assert done.stdout == f"pytest in {machine.checkout}: -k a or b\n"
    assert machine.did() == ["-m venv VENV", "pip test.lock", "pip --editable"]


def test_play_and_test_share_one_environment(machine: Machine) -> None:
    machine.run("play")
    machine.did()
    machine.run("test")

    assert machine.did() == ["pip test.lock", "pip --editable"]

    machine.run("play")

    assert machine.did() == []


def test_a_failed_set_up_says_why_and_the_next_run_starts_afresh(machine: Machine) -> None:
    (machine.folder / "no-network").touch()
    failed = machine.run("play")

    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-2:] == [
        "no route to the index",
        f"cowboard: could not install the packages of {machine.checkout}/requirements/play.lock;"
        f" the lines above are the end of {machine.checkout}/var/setup.log",
    ]
    machine.did()
    (machine.folder / "no-network").unlink()

    assert machine.run("play").returncode == 0
    assert machine.did() == WHOLE


def test_an_environment_cut_off_half_way_is_made_anew(machine: Machine) -> None:
    machine.run("play")
    machine.did()
    (machine.checkout / ".venv" / "unfinished").touch()
    machine.run("play")

    assert machine.did() == WHOLE


def test_a_moved_checkout_gets_a_new_environment(machine: Machine) -> None:
    machine.run("play")
    machine.did()
    machine.checkout = machine.checkout.rename(machine.folder / "moved")
    machine.run("play")

    assert machine.did() == WHOLE


def test_another_python_gets_a_new_environment(machine: Machine) -> None:
    machine.run("play")
    machine.did()
    machine.facts("3.14 3.14.1 64 aarch64 True False False")
    machine.run("play")

    assert machine.did() == WHOLE


@pytest.mark.parametrize("name", ["requirements/play.lock", "pyproject.toml"])
def test_a_changed_lock_is_installed_into_the_same_environment(machine: Machine, name: str) -> None:
    machine.run("play")
    machine.did()
    with (machine.checkout / name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    machine.run("play")

    assert machine.did() == WHOLE[1:]


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        pytest.param(
            "3.9 3.9.2 64 aarch64 True False False",
            "cowboard: needs Python 3.11 to 3.14; python3 is 3.9.2, Debian 12 and Raspberry Pi OS Bookworm or later"
            " have it: apt-get install python3\n",
            id="too old",
        ),
        pytest.param(
            "3.13 3.13.5 32 aarch64 True False False",
            "cowboard: needs a 64-bit system; this Python is built for 32 bits (on a Pi: Raspberry Pi OS 64-bit)\n",
            id="32 bits",
        ),
        pytest.param(
            "3.13 3.13.5 64 aarch64 False False False",
            "cowboard: please type:  sudo apt-get install -y --no-install-recommends python3-venv"
            "  and run ./play again\n",
            id="no venv and no rights",
        ),
    ],
)
def test_what_cannot_be_mended_is_one_line(machine: Machine, facts: str, sentence: str) -> None:
    machine.facts(facts)
    done = machine.run("play")

    assert (done.returncode, done.stdout, done.stderr) == (1, "", sentence)
    assert not (machine.checkout / ".venv").exists()


def test_a_newer_python_beside_an_old_one_is_found(machine: Machine) -> None:
    old = '#!/bin/sh\n[ "$1" = -c ] && echo "3.9 3.9.2 64 aarch64 True False False"\n'
    machine.program("python3.12", PYTHON)
    machine.program("python3", old)

    assert machine.run("play").returncode == 0


@pytest.mark.parametrize("is_root", [True, False], ids=["root", "sudo"])
def test_missing_packages_are_installed_where_that_needs_no_question(machine: Machine, is_root: bool) -> None:
    machine.facts("3.13 3.13.5 64 aarch64 False False False")
    if is_root:
        machine.program("id", "#!/bin/sh\necho 0\n")
    else:
        machine.program("sudo", '#!/bin/sh\nshift\n"$@"\n')
    done = machine.run("play")

    assert done.returncode == 0
    assert machine.did() == [
        "apt-get -q update",
        "apt-get -q install -y --no-install-recommends python3-venv",
        *WHOLE,
    ]


def test_the_tests_ask_for_a_browser_and_letters(machine: Machine) -> None:
    for name in ("chromium", "chromedriver"):
        (machine.programs / name).unlink()
    done = machine.run("test")

    assert "chromium chromium-driver fonts-dejavu-core  and run ./test again" in done.stderr


def test_with_apts_picamera2_numpy_and_opencv_come_from_apt_too(machine: Machine) -> None:
    machine.facts("3.13 3.13.5 64 aarch64 True True True")
    machine.run("play")

    assert machine.did() == ["-m venv --system-site-packages VENV", "pip pi.lock", "pip --editable"]

    machine.run("test")

    assert machine.did() == ["-m venv VENV", "pip test.lock", "pip --editable"]
    assert (machine.checkout / ".venv-test").is_dir()

    machine.run("play")

    assert machine.did() == []


def test_with_apts_picamera2_alone_opencv_is_asked_for(machine: Machine) -> None:
    machine.facts("3.13 3.13.5 64 aarch64 True True False")

    assert "--no-install-recommends python3-opencv  and run ./play again" in machine.run("play").stderr


def locked(name: str) -> dict[str, tuple[str, bool]]:
    """What a lock holds: package → version, and whether it has a hash."""
    text = (ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    parts = [re.fullmatch(r"([\w.-]+)==(\S+)(.*)", line) for line in lines]
    assert all(parts)
    return {part[1]: (part[2], "--hash=sha256:" in part[3]) for part in parts if part}


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_its_version_and_hashes(name: str) -> None:
    assert [package for package, (_, has_hash) in locked(name).items() if not has_hash] == []


def test_the_tests_use_the_versions_that_are_played_with() -> None:
    play, test, pi = (locked(name) for name in LOCKS)

    assert pi.items() <= play.items() <= test.items()
    assert set(play) - set(pi) == {"numpy", "opencv-python-headless"}


@pytest.mark.parametrize(("name", "extras"), [("play", ("vision", "panel")), ("test", ("vision", "panel", "dev"))])
def test_a_lock_holds_everything_that_the_project_asks_for(name: str, extras: tuple[str, ...]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(one for extra in extras for one in project["optional-dependencies"][extra])]
    names = {re.split(r"[^\w-]", one)[0] for one in wanted}

    assert names - set(locked(name)) == set()
