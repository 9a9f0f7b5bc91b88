# SPDX-License-Identifier: MIT
"""Which mutants are tested, in which order, and which of them are known already."""

import os
import threading

import mutate_report as known
import mutate_sites
from mutate_tree import copied_files


class BadRoom(Exception):
    """A folder that is not there, in words."""


def digest_of(root, keep):
    """Of the names and bytes of some files of the tree."""
    parts = []
    for path in sorted(p for p in copied_files(root) if keep(p)):
        with open(os.path.join(root, path), "rb") as file:
            parts += [path, file.read().decode("latin-1")]
    return known.digest(*parts)


class Sample:
    """
    The sites of each room in their order, and the share of each room: how many must count. next() hands out the first unknown site
    of the room that has fewest. A mutant that does not count is followed by the next of its room. So the sites that are tested are
    the beginnings of the rooms' orders, whatever the number of jobs.
    """

    def __init__(self, root, asked, state, keep_survivors=False):
        self.changed, self.mutants, self.failed = threading.Condition(), asked.mutants, None
        self.reasons = known.read_reasons(root)
        self.tests = digest_of(root, lambda path: path.startswith("tests/") and not path.startswith("tests/mutate"))
        self.files, self.texts, self.order, self.share, self.busy = {}, {}, {}, {}, {}
        for n, room in enumerate(asked.rooms):
            self.order[room] = mutate_sites.shuffled(self.sites(root, room), asked.seed)
            self.share[room] = asked.mutants // len(asked.rooms) + (n < asked.mutants % len(asked.rooms))
            self.busy[room] = set()
        self.known = {s.identity: state[s.identity] for sites in self.order.values() for s in sites if s.identity in state
                      and self.holds(state[s.identity], s.path, keep_survivors)}

    def sites(self, root, room):
        if not os.path.isdir(os.path.join(root, room)):
            raise BadRoom(f"there is no folder '{room}': --rooms are folders of sources such as src/table")
        found = []
        for path in sorted(p for p in copied_files(root) if p.startswith(room.rstrip("/") + "/") and p.endswith((".c", ".h"))):
            with open(os.path.join(root, path), encoding="utf-8") as file:
                self.texts[path] = file.read()
            self.files[path] = known.digest(self.texts[path])
            found += mutate_sites.sites(path, self.texts[path])
        return found

    def holds(self, record, path, keep_survivors):
        """A caught mutant stays caught when tests come. One that survived may not survive new tests, unless a reason says so."""
        return record["file"] == self.files[path] and (
            keep_survivors or record["verdict"] != known.SURVIVED or record["tests"] == self.tests
            or known.reason_of(record, self.reasons) is not None)

    def known_of(self, room):
        """The known mutants of a room in its order, until its share is full if all that are unknown so far count."""
        records, counted = [], 0
        for site in self.order[room]:
            if counted >= self.share[room]:
                break
            record = self.known.get(site.identity)
            if record:
                records.append({**record, "line": site.line, "room": room})
            counted += record is None or record["verdict"] in known.COUNTED
        return records

    def begun(self, room):
        """(mutants of a room that count or are at work, the site to test next or None)."""
        begun = len(self.busy[room])
        for site in self.order[room]:
            record = self.known.get(site.identity)
            begun += record is not None and record["verdict"] in known.COUNTED
            if begun >= self.share[room]:
                return begun, None
            if record is None and site.identity not in self.busy[room]:
                return begun, site
        return begun, None

    def records(self):
        return [record for room in self.order for record in self.known_of(room)]

    def counted(self):
        return sum(r["verdict"] in known.COUNTED for r in self.records())

    def next(self):
        """(room, site), or None when nothing is left to begin; waits while a mutant at work may turn out not to count."""
        with self.changed:
            while not self.failed:
                offers = [(*self.begun(room), room) for room in self.order]
                offers = [(begun, n, room, site) for n, (begun, site, room) in enumerate(offers) if site]
                if offers:
                    _, _, room, site = min(offers)
                    self.busy[room].add(site.identity)
                    return room, site
                if not any(self.busy.values()):
                    return None
                self.changed.wait()
        return None

    def end(self, room, site, record):
        with self.changed:
            self.busy[room].discard(site.identity)
            if record:
                self.known[site.identity] = record
            self.changed.notify_all()

    def fail(self, error):
        with self.changed:
            self.failed = self.failed or error
            self.changed.notify_all()
