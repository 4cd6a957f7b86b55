#!/usr/bin/env python3
"""An in-memory file system (FUSE) that simulates power cuts: data that was not synced is lost.

    crashfs.py FOLDER            mounts it on FOLDER, in the foreground; needs Debian's fuse3 and PyPI's mfusepy

It gives only the guarantees of POSIX. The bytes of a file survive a power cut if the file was synced; the
creation and removal of a name survive if its folder was synced. Data written since the last sync may or may
not be on the disk, in sectors of 512 bytes and in any order: a `torn` cut keeps a random part of it, any other
cut keeps nothing. (A real disk may also keep an older version of a sector that was written twice; this one
does not.)

Commands are lines written to FOLDER/.control; reading .control returns the counters:

    cut [torn] [seed=N]          simulates a power cut. No file may be open, because the kernel caches pages of
                                 open files: the programs must have exited (otherwise EBUSY)
    fail-sync N [SUFFIX]         the Nth sync from now on of files with this suffix fails with EIO. As on Linux
                                 it fails once: its data counts as written afterwards, but is not on the disk
    fail-folder-syncs            every sync of a folder fails with EIO
    fail-writes [SUFFIX]         every write fails with EIO
    full BYTES                   after this many more bytes, writes fail with ENOSPC
    slow-sync MILLISECONDS       every sync takes this long
    heal                         removes all faults; lost data stays lost
"""
import errno
import itertools
import random
import stat
import sys
import threading
import time

import mfusepy as fuse

SECTOR = 512
CONTROL = '/.control'


class File:
    """The bytes as programs see them, and the bytes on the disk."""

    def __init__(self):
        self.bytes = bytearray()
        self.disk = bytearray()
        self.dirty = set()  # sectors that were written since the last sync

    def write(self, data, offset):
        self.resize(max(len(self.bytes), offset))
        self.bytes[offset:offset + len(data)] = data
        self.touch(offset, offset + len(data))

    def resize(self, length):
        before = len(self.bytes)
        if length < before:
            del self.bytes[length:]
            self.touch(length - length % SECTOR, length)
        else:
            self.bytes += bytes(length - before)
            self.touch(before, length)

    def touch(self, begin, end):
        self.dirty.update(range(begin // SECTOR, -(-end // SECTOR)))

    def sync(self):
        self.reach_disk(self.dirty, len(self.bytes))
        self.dirty = set()

    def fail_to_sync(self):
        self.dirty = set()

    def reach_disk(self, sectors, length):
        if length < len(self.disk):
            del self.disk[length:]
        else:
            self.disk += bytes(length - len(self.disk))
        for sector in sectors:
            begin, end = sector * SECTOR, min((sector + 1) * SECTOR, length, len(self.bytes))
            if begin < end:
                self.disk[begin:end] = self.bytes[begin:end]

    def lose_power(self, torn):
        if torn:
            share = torn.random()
            kept = {sector for sector in sorted(self.dirty) if torn.random() < share}
            reached = max([(sector + 1) * SECTOR for sector in kept], default=0)
            longest = len(self.bytes) if torn.random() < share else len(self.disk)
            self.reach_disk(kept, max(longest, min(reached, len(self.bytes))))
        self.bytes = bytearray(self.disk)
        self.dirty = set()


class Folder:
    """The names as programs see them, and the names on the disk."""

    def __init__(self):
        self.names = {}
        self.disk = {}

    def sync(self):
        self.disk = dict(self.names)

    def lose_power(self, torn):
        self.names = dict(self.disk)
        for node in self.names.values():
            node.lose_power(torn)


class Faults:
    """The injected faults."""

    def __init__(self):
        self.syncs = 0
        self.sync_suffix = self.write_suffix = ''
        self.folder_syncs_fail = self.writes_fail = False
        self.room = None  # the maximum number of bytes of all files
        self.slow = 0

    def sync_fails(self, path):
        if self.syncs and path.endswith(self.sync_suffix):
            self.syncs -= 1
            return self.syncs == 0
        return False


class CrashFS(fuse.Operations):
    use_ns = True

    def __init__(self):
        self.root = Folder()
        self.faults = Faults()
        self.open_files = {}
        self.handles = itertools.count(1)
        self.counts = dict.fromkeys(('writes', 'syncs', 'folder-syncs', 'cuts', 'faults'), 0)
        self.mutex = threading.RLock()

    # --- commands

    def execute(self, line):
        word, *rest = line.split()
        if word == 'cut':
            self.cut('torn' in rest, dict(it.split('=') for it in rest if '=' in it).get('seed', 0))
        elif word == 'fail-sync':
            self.faults.syncs, self.faults.sync_suffix = int(rest[0]), ''.join(rest[1:])
        elif word == 'fail-folder-syncs':
            self.faults.folder_syncs_fail = True
        elif word == 'fail-writes':
            self.faults.writes_fail, self.faults.write_suffix = True, ''.join(rest)
        elif word == 'full':
            self.faults.room = self.used(self.root) + int(rest[0])
        elif word == 'slow-sync':
            self.faults.slow = int(rest[0]) / 1000
        elif word == 'heal':
            self.faults = Faults()
        else:
            raise fuse.FuseOSError(errno.EINVAL)

    def cut(self, torn, seed):
        if self.open_files:
            raise fuse.FuseOSError(errno.EBUSY)
        self.counts['cuts'] += 1
        self.faults = Faults()
        self.root.lose_power(random.Random(int(seed)) if torn else None)

    def counters(self):
        return ''.join(f'{what} {count}\n' for what, count in self.counts.items()).encode()

    def fault(self, error):
        self.counts['faults'] += 1
        return fuse.FuseOSError(error)

    # --- names

    def find(self, path):
        node = self.root
        for name in path.split('/')[1:]:
            if name:
                if not isinstance(node, Folder) or name not in node.names:
                    raise fuse.FuseOSError(errno.ENOENT)
                node = node.names[name]
        return node

    def parent(self, path):
        above, _, name = path.rpartition('/')
        return self.find(above), name

    def used(self, node):
        if isinstance(node, File):
            return len(node.bytes)
        return sum(self.used(it) for it in node.names.values())

    def getattr(self, path, fh=None):
        if path == CONTROL:
            return dict(st_mode=stat.S_IFREG | 0o644, st_nlink=1, st_size=len(self.counters()))
        node = self.open_files[fh] if fh in self.open_files else self.find(path)
        now = time.time_ns()
        times = dict(st_mtime=now, st_ctime=now, st_atime=now)
        if isinstance(node, Folder):
            return dict(st_mode=stat.S_IFDIR | 0o755, st_nlink=2, **times)
        return dict(st_mode=stat.S_IFREG | 0o644, st_nlink=1, st_size=len(node.bytes), **times)

    def readdir(self, path, fh):
        return ['.', '..', *self.find(path).names]

    def mkdir(self, path, mode):
        with self.mutex:
            folder, name = self.parent(path)
            folder.names[name] = Folder()

    def rmdir(self, path):
        self.unlink(path)

    def unlink(self, path):
        with self.mutex:
            folder, name = self.parent(path)
            folder.names.pop(name)

    def rename(self, old, new, flags=0):
        with self.mutex:
            source, old_name = self.parent(old)
            target, new_name = self.parent(new)
            target.names[new_name] = source.names.pop(old_name)

    def fsyncdir(self, path, datasync, fh):
        with self.mutex:
            self.counts['folder-syncs'] += 1
            if self.faults.folder_syncs_fail:
                raise self.fault(errno.EIO)
            self.find(path).sync()

    # --- files

    def create(self, path, mode, fi=None):
        with self.mutex:
            folder, name = self.parent(path)
            folder.names[name] = File()
            return self.opened(folder.names[name])

    def open(self, path, flags):
        with self.mutex:
            return 0 if path == CONTROL else self.opened(self.find(path))

    def opened(self, file):
        handle = next(self.handles)
        self.open_files[handle] = file
        return handle

    def release(self, path, fh):
        with self.mutex:
            self.open_files.pop(fh, None)

    def read(self, path, size, offset, fh):
        with self.mutex:
            content = self.counters() if path == CONTROL else self.open_files[fh].bytes
            return bytes(content[offset:offset + size])

    def write(self, path, data, offset, fh):
        with self.mutex:
            if path == CONTROL:
                self.execute(data.decode())
                return len(data)
            self.counts['writes'] += 1
            if self.faults.writes_fail and path.endswith(self.faults.write_suffix):
                raise self.fault(errno.EIO)
            file = self.open_files[fh]
            data = data[:self.fitting(file, offset, len(data))]
            file.write(data, offset)
            return len(data)

    def fitting(self, file, offset, length):
        """The number of bytes of a write that still fit on the disk."""
        if self.faults.room is None:
            return length
        fits = self.faults.room - self.used(self.root) + len(file.bytes) - offset
        if fits <= 0:
            raise self.fault(errno.ENOSPC)
        return min(length, fits)

    def truncate(self, path, length, fh=None):
        with self.mutex:
            if path != CONTROL:
                (self.open_files[fh] if fh in self.open_files else self.find(path)).resize(length)

    def fsync(self, path, datasync, fh):
        if path == CONTROL:
            return
        time.sleep(self.faults.slow)
        with self.mutex:
            self.counts['syncs'] += 1
            file = self.open_files[fh]
            if self.faults.sync_fails(path):
                file.fail_to_sync()
                raise self.fault(errno.EIO)
            file.sync()

    def chmod(self, path, mode):
        pass

    def chown(self, path, uid, gid):
        pass

    def utimens(self, path, times=None):
        pass

    def statfs(self, path):
        return dict(f_bsize=4096, f_frsize=4096, f_blocks=1 << 20, f_bfree=1 << 19, f_bavail=1 << 19, f_namemax=255)


if __name__ == '__main__':
    # SQLite maps its -shm file into memory, so no direct_io
    fuse.FUSE(CrashFS(), sys.argv[1], foreground=True, nothreads=False, entry_timeout=0, attr_timeout=0, negative_timeout=0)
