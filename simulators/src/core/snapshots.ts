import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import type { FaultPlan } from './faults.ts';
import type { Quota } from './quota.ts';
import { refusal } from './refusal.ts';

/** A snapshot as lists show it. */
export type SnapshotEntry = { readonly name: string; readonly savedAt: string };

/** Named snapshots of a simulator's whole state. */
export interface Snapshots {
  /** Saves the present state under a name and replaces an existing snapshot of that name. Throws a refusal for an invalid name. */
  save(name: string): SnapshotEntry;
  /** The snapshots, oldest first. */
  list(): readonly SnapshotEntry[];
  /** All that was saved, as readable JSON; `undefined` when there is no such snapshot. */
  text(name: string): string | undefined;
  /** Restores data, clock, quota and faults. False if there is no such snapshot. */
  restore(name: string): boolean;
  remove(name: string): boolean;
}

/** The parts of a simulator that a snapshot contains. */
export type SnapshotParts = {
  readonly clock: Clock;
  readonly faults: FaultPlan;
  readonly quota: Quota;
  /** Returns all data as JSON. */
  readonly capture: () => unknown;
  /** Restores captured data; throws if they come from another simulator or version. */
  readonly restore: (data: unknown) => void;
  /** The folder for snapshot files, which outlive the process. If absent, snapshots are in memory only. */
  readonly folder?: string;
};

type Content = {
  readonly savedAt: string;
  readonly clockOffsetMs: number;
  readonly quota: ReturnType<Quota['rule']>;
  readonly faults: ReturnType<FaultPlan['list']>;
  readonly data: unknown;
};

/** A stored snapshot, as text, so that later changes do not affect it. */
type Snapshot = { readonly savedAt: string; readonly text: string };

/** A file name that is valid on every system and cannot leave its folder. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$/;
const ENDING = '.json';

/** Makes the snapshots of a simulator. Snapshots in the folder exist from the start. */
export function createSnapshots(parts: SnapshotParts): Snapshots {
  const kept = readFolder(parts.folder);
  return {
    save: (name) => {
      if (!NAME.test(name)) {
        throw refusal(
          400,
          'A name has 1 to 64 letters, digits, spaces, dots and dashes, and begins with a letter or digit.',
        );
      }
      const content = capture(parts);
      const snapshot = toSnapshot(content, `${JSON.stringify(content, null, 2)}\n`);
      kept.set(name, snapshot);
      if (parts.folder !== undefined) writeSnapshot(parts.folder, name, snapshot.text);
      return { name, savedAt: snapshot.savedAt };
    },
    list: () =>
      Array.from(kept, ([name, { savedAt }]) => ({ name, savedAt })).sort((one, other) =>
        one.savedAt < other.savedAt ? -1 : 1,
      ),
    text: (name) => kept.get(name)?.text,
    restore: (name) => {
      const text = kept.get(name)?.text;
      if (text !== undefined) putBack(parts, JSON.parse(text) as Content);
      return text !== undefined;
    },
    remove: (name) => {
      if (parts.folder !== undefined && kept.has(name)) {
        rmSync(join(parts.folder, name + ENDING), { force: true });
      }
      return kept.delete(name);
    },
  };
}

function toSnapshot({ savedAt }: Content, text: string): Snapshot {
  return { savedAt, text };
}

function capture({ clock, quota, faults, capture: data }: SnapshotParts): Content {
  return {
    savedAt: new Date().toISOString(),
    clockOffsetMs: clock.offsetMs(),
    quota: quota.rule(),
    faults: faults.list(),
    data: data(),
  };
}

function putBack({ clock, quota, faults, restore }: SnapshotParts, content: Content): void {
  clock.reset();
  clock.advance(content.clockOffsetMs);
  quota.set(content.quota);
  faults.clear();
  for (const { id: _id, ...fault } of content.faults) faults.add(fault);
  // The data come last, because timed events restart from the restored clock.
  restore(content.data);
}

function writeSnapshot(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name + ENDING), text, { mode: 0o600 });
}

function readFolder(folder: string | undefined): Map<string, Snapshot> {
  if (folder === undefined || !existsSync(folder)) return new Map();
  const names = readdirSync(folder).filter((file) => file.endsWith(ENDING));
  return new Map(
    names.map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return [file.slice(0, -ENDING.length), toSnapshot(JSON.parse(text) as Content, text)];
    }),
  );
}
