"""What .ci/archive does with jars and with the files of the archive:

archive.py jars VERSION FOLDER  copies the programs' jars and what their manifests name to FOLDER/lib, and the
                                licences and notices in them to FOLDER/licenses/JAR
archive.py pack FOLDER ARCHIVE  writes FOLDER as ARCHIVE, the same bytes for the same files, and ARCHIVE.sha256
"""

import filecmp
import gzip
import hashlib
import pathlib
import re
import shutil
import sys
import tarfile
import zipfile

PROGRAMS = {"store": "store", "cli": "tools/cli", "lab": "tools/lab", "torture": "tools/torture"}
LEFT_OUT = "embedded-postgres-binaries-"  # PostgreSQL, 127 MB
LICENCE = re.compile(r"(?i)(.*/)?(licen[cs]e|notice|copying)[^/]*|META-INF/licen[cs]es?/.*[^/]")
MODIFIED = 1767225600  # 2026-01-01T00:00:00Z, as project.build.outputTimestamp


def class_path(jar):
    with zipfile.ZipFile(jar) as file:
        manifest = file.read("META-INF/MANIFEST.MF").decode().replace("\r\n ", "").replace("\n ", "")
    return re.search(r"^Class-Path: (.*?)\r?$", manifest, re.MULTILINE).group(1).split()


def jars(version, folder):
    found = {}
    for name, module in PROGRAMS.items():
        program = pathlib.Path(module, "target", f"{name}-{version}.jar")
        for jar in [program, *(pathlib.Path(module, "target/lib", it) for it in class_path(program))]:
            if not jar.name.startswith(LEFT_OUT):
                same = found.setdefault(jar.name, jar)
                if not filecmp.cmp(jar, same, shallow=False):
                    sys.exit(f"{jar} and {same} differ; run ./mvnw clean")
    references = f"references-{version}.jar"  # its libraries are among the others, except JPA
    found[references] = pathlib.Path("tools/references/target", references)
    for name, jar in found.items():
        shutil.copyfile(jar, folder / "lib" / name)
        with zipfile.ZipFile(jar) as file:
            for entry in file.namelist():
                if LICENCE.fullmatch(entry) and not entry.endswith((".class", "/")):
                    file.extract(entry, folder / "licenses" / jar.stem)


def normalized(info):
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mtime = MODIFIED
    info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
    return info


def pack(folder, archive):
    for cache in folder.rglob("__pycache__"):
        shutil.rmtree(cache)
    with open(archive, "wb") as file:
        with gzip.GzipFile("", "wb", 9, file, mtime=0) as zipped, tarfile.open(fileobj=zipped, mode="w|") as tar:
            for path in [folder, *sorted(folder.rglob("*"))]:
                tar.add(path, path.relative_to(folder.parent), recursive=False, filter=normalized)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    archive.with_name(archive.name + ".sha256").write_text(f"{digest}  {archive.name}\n")
    print(f"{archive}: {archive.stat().st_size / 1e6:.0f} MB, SHA-256 {digest}")


if sys.argv[1] == "jars":
    jars(sys.argv[2], pathlib.Path(sys.argv[3]))
else:
    pack(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
