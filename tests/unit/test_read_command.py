"""`cowboard read`: its lines, its statuses, and every kind of file that is no picture or an odd one."""

from __future__ import annotations

import json
import os
import struct
from base64 import b64decode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from jsonschema import Draft202012Validator

from controller.cli import BAD_INPUT, FAILED, OK, run
from vision.cv import Image
from vision.files import load
from vision.scene import Scene, SceneDie, draw_clean

SCHEMA = Draft202012Validator(
    json.loads((Path(__file__).parents[2] / "controller" / "schemas" / "read.json").read_text("utf-8"))
)
PLACES = ((50, 40, 10), (100, 60, 30), (150, 40, 50), (60, 100, 70), (140, 110, 5))
VALUES = (1, 2, 3, 5, 6)
WIDTH, HEIGHT = 640, 480
# A red JPEG in cyan, magenta, yellow and black, as printers' programs write it.
CMYK = (
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAbEhQXFBEbFxYXHhwbIChCKyglJShROj0wQmBVZWRfVV1baniZgWpxkHNbXYW1hpCeo6utq2eAvMm6"
    "pseZqKuk/8AAFAgAIAAgBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAFBv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAOBEMA"
    "TQBZAEsAAD8AqoqK0wAAAAAAAAAAAAAAAAAAAD//2Q=="
)


def tray(values: tuple[int, ...] = VALUES, width: int = WIDTH) -> Image:
    """A drawn tray with these dice."""
    dice = tuple(SceneDie(value, x, y, turn, "white") for value, (x, y, turn) in zip(values, PLACES, strict=False))
    return draw_clean(Scene(dice), width, width * 3 // 4)


def encoded(image: Any, suffix: str = ".jpg") -> bytes:
    good, data = cv2.imencode(suffix, image)
    assert good
    return bytes(data)


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """The same JPEG with an EXIF note of how the camera was held."""
    note = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01" + struct.pack(">HHI", orientation, 0, 0)
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(note) + 2) + note + jpeg[2:]


def lines(output: str) -> list[dict[str, Any]]:
    """JSON lines, each as the schema says."""
    answers = [json.loads(line) for line in output.splitlines()]
    for answer in answers:
        SCHEMA.validate(answer)
    return answers


def middle(box: Sequence[int]) -> Any:
    x, y, width, height = box
    return np.array([x + width / 2, y + height / 2])


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "tray.png"
    path.write_bytes(encoded(tray(), ".png"))
    return path


# One line a picture


def test_a_picture_gives_one_line_with_values_sorted_and_dice_from_left_to_right(
    picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["read", str(picture), "--json"]) == OK
    (answer,) = lines(capsys.readouterr().out)

    assert {key: answer[key] for key in ("file", "status", "values", "refusals")} == {
        "file": str(picture),
        "status": "read",
        "values": [1, 2, 3, 5, 6],
        "refusals": [],
    }
    assert [die["value"] for die in answer["dice"]] == [1, 5, 2, 6, 3]
    assert {die["colour"] for die in answer["dice"]} == {"white"}
    lefts = [die["box"][0] for die in answer["dice"]]
    assert lefts == sorted(lefts)
    assert answer["ms"] > 0


def test_without_json_a_person_gets_one_line(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", str(picture)]) == OK

    assert capsys.readouterr() == (f"{picture}: 1 2 3 5 6\n", "")


def test_another_count_than_expected_is_refused_and_that_is_no_failure(
    picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["read", str(picture), "--expect", "3", "--json"]) == OK
    (answer,) = lines(capsys.readouterr().out)

    assert (answer["status"], answer["refusals"], answer["values"]) == ("refused", ["not five"], [1, 2, 3, 5, 6])


@pytest.mark.parametrize(("expect", "status"), [("any", "read"), ("0", "read"), ("5", "refused")])
def test_a_tray_without_dice_is_read_with_no_values_unless_dice_are_expected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], expect: str, status: str
) -> None:
    (tmp_path / "empty tray.png").write_bytes(encoded(tray(()), ".png"))

    assert run(["read", str(tmp_path), "--expect", expect, "--json"]) == OK
    (answer,) = lines(capsys.readouterr().out)

    assert (answer["status"], answer["values"], answer["dice"]) == (status, [], [])


def test_a_die_that_cannot_be_read_stays_in_the_list_with_its_refusal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = [SceneDie(value, x, y, turn, "white") for value, (x, y, turn) in zip(VALUES, PLACES, strict=True)]
    dice[0] = SceneDie(5, 50, 40, 10, "white", tilt_deg=38.0, tilt_to_deg=20)
    (tmp_path / "cocked.png").write_bytes(encoded(draw_clean(Scene(tuple(dice)), WIDTH, HEIGHT), ".png"))

    assert run(["read", str(tmp_path / "cocked.png"), "--json"]) == OK
    (answer,) = lines(capsys.readouterr().out)

    assert answer["status"] == "refused"
    assert answer["values"] == [2, 3, 5, 6]
    assert answer["refusals"]


# Odd pictures that are read all the same


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("grey.png", lambda image: encoded(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), ".png")),
        ("alpha.png", lambda image: encoded(np.dstack([image, np.full(image.shape[:2], 90, np.uint8)]), ".png")),
        ("sixteen.png", lambda image: encoded(image.astype(np.uint16) * 257, ".png")),
        ("sixteen.tif", lambda image: encoded(image.astype(np.uint16) * 257, ".tiff")),
        ("plain.bmp", lambda image: encoded(image, ".bmp")),
        ("plain.webp", lambda image: encoded(image, ".webp")),
        ("plain.ppm", lambda image: encoded(image, ".ppm")),
        ("UPPER.JPG", encoded),
        ("a png.jpg", lambda image: encoded(image, ".png")),
        ("new\nline.jpg", encoded),
        ("with a preview after its end.jpg", lambda image: encoded(image) + b"\0" * 9000),
        ("kept on its side.jpg", lambda image: with_orientation(encoded(cv2.rotate(image, 2)), 6)),
    ],
)
def test_an_odd_picture_reads_as_the_plain_one(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, make: Any
) -> None:
    odd = tmp_path / name
    odd.write_bytes(make(tray()))

    assert run(["read", str(odd), str(picture), "--json"]) == OK
    output, errors = capsys.readouterr()
    first, second = lines(output)

    assert errors == ""
    assert first["values"] == second["values"] == [1, 2, 3, 5, 6]
    for die, other in zip(first["dice"], second["dice"], strict=True):
        assert np.allclose(middle(die["box"]), middle(other["box"]), atol=3)


def test_a_picture_for_print_is_loaded_in_its_colours(tmp_path: Path) -> None:
    path = tmp_path / "cmyk.jpg"
    path.write_bytes(b64decode(CMYK))

    blue, green, red = load(path).mean(axis=(0, 1))

    assert red > 150 > 100 > max(blue, green)


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_a_picture_of_fifty_megapixels_gives_boxes_in_its_own_px(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    width = 8192
    huge = tmp_path / f"huge{suffix}"
    huge.write_bytes(encoded(cv2.resize(tray(), (width, width * 3 // 4), interpolation=cv2.INTER_CUBIC), suffix))

    assert run(["read", str(huge), str(picture), "--json"]) == OK
    first, second = lines(capsys.readouterr().out)

    assert first["values"] == second["values"]
    scale = width / WIDTH
    for die, other in zip(first["dice"], second["dice"], strict=True):
        assert np.allclose(middle(die["box"]) / scale, middle(other["box"]), atol=3)


def test_the_pictures_of_a_folder_come_in_order_of_names_those_of_inner_folders_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".hidden").mkdir()
    for name in ("c.jpg", "b/inner.jpg", "a.jpg", ".hidden/x.jpg", ".hidden.jpg"):
        (tmp_path / name).write_bytes(encoded(tray()))
    (tmp_path / "labels.json").write_text("[]")

    assert run(["read", str(tmp_path), "--json"]) == OK
    output, errors = capsys.readouterr()

    assert [Path(answer["file"]).relative_to(tmp_path) for answer in lines(output)] == [
        Path("a.jpg"),
        Path("b/inner.jpg"),
        Path("c.jpg"),
    ]
    assert errors == ""


# What is no picture


def huge_header() -> bytes:
    """A picture of a few bytes that says it has 3,600 megapixels."""
    data = bytearray(encoded(np.zeros((20, 20, 3), np.uint8), ".png"))
    data[16:24] = struct.pack(">II", 60000, 60000)
    return bytes(data)


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "text.jpg": (lambda: b"not a picture", "no picture that can be read"),
    "cut.jpg": (lambda: encoded(tray())[:-900], "the JPEG picture is cut off"),
    "cut.png": (lambda: encoded(tray(), ".png")[:9000], "the PNG picture is cut off"),
    "cut.webp": (lambda: encoded(tray(), ".webp")[:3000], "the WebP picture is cut off"),
    "cut.bmp": (lambda: encoded(tray(), ".bmp")[:9000], "the BMP picture is cut off"),
    "start.jpg": (lambda: encoded(tray())[:3], "no picture that can be read"),
    "empty.jpg": (lambda: b"", "the file is empty"),
    "dot.png": (lambda: encoded(np.zeros((1, 1, 3), np.uint8), ".png"), "1x1 px is too small; at least 16 each way"),
    "bomb.png": (huge_header, "60000x60000 px is too large; at most 110 megapixels are read"),
    "broken.avi": (lambda: b"RIFF\0\0\0\0AVI junk", "a video without pictures"),
    "broken.mp4": (lambda: b"\0\0\0\x18ftypmp42\0\0\0\0", "a video without pictures"),
    "empty.mkv": (lambda: b"", "the file is empty"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_told_in_one_line_and_the_others_are_read(
    picture: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    make, reason = BAD[name]
    bad = tmp_path / name
    bad.write_bytes(make())

    assert run(["read", str(bad), str(picture), "--json"]) == FAILED
    output, errors = capfd.readouterr()  # of the whole process: decoders write there past Python
    fault, answer = lines(output)

    assert fault["file"] == str(bad)
    assert fault["error"].startswith(reason)
    assert errors == f"cowboard read: {bad}: {fault['error']}\n"
    assert answer["values"] == [1, 2, 3, 5, 6]


def test_a_folder_of_mixed_things_tells_each_bad_one_and_reads_the_others(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.jpg").write_bytes(encoded(tray()))
    (tmp_path / "b.jpg").write_bytes(b"")
    (tmp_path / "c.jpg").mkdir()
    (tmp_path / "d.jpg").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "e.jpg")
    (tmp_path / "notes.txt").write_text("passed over")
    (tmp_path / "z.jpg").write_bytes(encoded(tray()))

    assert run(["read", str(tmp_path)]) == FAILED
    output, errors = capfd.readouterr()

    assert output == f"{tmp_path}/a.jpg: 1 2 3 5 6\n{tmp_path}/z.jpg: 1 2 3 5 6\n"
    assert errors.splitlines() == [
        f"cowboard read: {tmp_path}/b.jpg: the file is empty",
        f"cowboard read: {tmp_path}/d.jpg: No such file or directory",
        f"cowboard read: {tmp_path}/e.jpg: not a plain file",
    ]


def test_a_path_that_is_not_there_and_a_folder_without_pictures_are_failures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, reason in (
        (tmp_path / "gone.jpg", "No such file or directory"),
        (tmp_path / ("x" * 300), "File name too long"),
        (tmp_path, "a folder without pictures or videos"),
        (Path("/dev/null"), "not a plain file"),
    ):
        assert run(["read", str(path)]) == FAILED
        assert capsys.readouterr() == ("", f"cowboard read: {path}: {reason}\n")


def test_a_name_that_is_no_text_is_shown_on_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\n.jpg"))
    path.write_bytes(encoded(tray()))

    assert run(["read", str(path)]) == OK
    assert capsys.readouterr().out == f"{tmp_path}/\N{REPLACEMENT CHARACTER}?.jpg: 1 2 3 5 6\n"
    assert run(["read", str(path), "--json"]) == OK
    assert lines(capsys.readouterr().out)[0]["file"] == str(path)


# Options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "path: '' is not usable; accepted: one or more pictures, folders or videos"),
        (["x.jpg", "--expect", "five"], "expect: 'five' is not usable; accepted: a number from 0 to 50, or any"),
        (["x.jpg", "--expect", "-1"], "expect: '-1' is not usable; accepted: a number from 0 to 50, or any"),
        (["x.jpg", "--expect", "51"], "expect: '51' is not usable; accepted: a number from 0 to 50, or any"),
        (["x.jpg", "--expect", "٣"], "expect: '٣' is not usable; accepted: a number from 0 to 50, or any"),
        (["x.jpg", "--calibration", "/nowhere.toml"], "calibration: /nowhere.toml"),
        (["x.jpg", "--annotate", __file__], "accepted: a folder, which is made where there is none"),
        (["x.jpg", "--nonsense"], "No such option"),
    ],
)
def test_a_bad_option_is_one_line_and_status_two(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert run(["read", *options]) == BAD_INPUT
    output, errors = capsys.readouterr()

    assert output == ""
    assert message in errors
    assert errors.count("\n") == 1


def test_annotated_pictures_are_written_each_under_a_name_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tray.jpg").write_bytes(encoded(tray()))
    album = tmp_path / "new" / "album"

    for _ in range(2):  # a second run writes over the first one's
        assert run(["read", str(tmp_path / "one"), str(tmp_path / "two"), "--annotate", str(album)]) == OK

    assert sorted(path.name for path in album.iterdir()) == ["tray-2.png", "tray.png"]
    drawn = cv2.imread(str(album / "tray.png"))
    assert drawn is not None
    assert drawn.shape == (HEIGHT, WIDTH, 3)
    assert np.abs(drawn.astype(int) - tray()).max() > 100
    capsys.readouterr()


# Videos


def test_a_video_in_which_nothing_comes_to_rest_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    film = tmp_path / "empty.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 12, (WIDTH, HEIGHT))
    for _ in range(14):
        writer.write(tray(()))
    writer.release()

    assert run(["read", str(film), "--expect", "any"]) == OK
    assert capfd.readouterr() == ("", f"cowboard read: {film}: no dice came to rest in this video\n")


def test_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", "--help"]) == OK
    assert "cowboard read tray.jpg" in capsys.readouterr().out
