import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from './clock.ts';
import type { FaultPlan } from './faults.ts';
import type { Quota } from './quota.ts';
import { refusal } from './refusal.ts';

/** A saved state as lists show it. */
export type SnapshotEntry = { readonly name: string; readonly savedAt: string };

/** States of a simulator that were saved under a name, to be returned to. */
export interface Snapshots {
  /** Saves the present state; a state of the same name is replaced. Throws a refusal on a name that is none. */
  save(name: string): SnapshotEntry;
  /** The saved states, oldest first. */
  list(): readonly SnapshotEntry[];
  /** All that was saved, as readable JSON; `undefined` when there is no such state. */
  text(name: string): string | undefined;
  /** Makes the simulator what it was then: data, clock, quota and faults. False when there is no such state. */
  restore(name: string): boolean;
  remove(name: string): boolean;
}

/** What a snapshot is made of. */
export type SnapshotParts = {
  readonly clock: Clock;
  readonly faults: FaultPlan;
  readonly quota: Quota;
  /** All data as JSON. */
  readonly capture: () => unknown;
  /** Puts captured data in place; throws when they are not of this simulator or version. */
  readonly restore: (data: unknown) => void;
  /** Keeps each state as a file here, so that it outlives the process; in memory only when absent. */
  readonly folder?: string;
};

type Content = {
  readonly savedAt: string;
  readonly clockOffsetMs: number;
  readonly quota: ReturnType<Quota['rule']>;
  readonly faults: ReturnType<FaultPlan['list']>;
  readonly data: unknown;
};

/** A file name everywhere, and nothing that leads out of its folder. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._ -]{0,63}$/;
const ENDING = '.json';

/** Makes the store of a simulator's saved states; those in the folder are there from the start. */
export function createSnapshots(parts: SnapshotParts): Snapshots {
  const texts = readFolder(parts.folder);
  const entry = (name: string, text: string): SnapshotEntry => ({
    name,
    savedAt: (JSON.parse(text) as Content).savedAt,
  });
  return {
    save: (name) => {
      if (!NAME.test(name)) {
        throw refusal(
          400,
          'A name has 1 to 64 letters, digits, spaces, dots and dashes, and begins with a letter or digit.',
        );
      }
      const text = `${JSON.stringify(capture(parts), null, 2)}\n`;
      texts.set(name, text);
      if (parts.folder !== undefined) writeState(parts.folder, name, text);
      return entry(name, text);
    },
    list: () =>
      Array.from(texts, ([name, text]) => entry(name, text)).sort((one, other) =>
        one.savedAt < other.savedAt ? -1 : 1,
      ),
    text: (name) => texts.get(name),
    restore: (name) => {
      const text = texts.get(name);
      if (text !== undefined) putBack(parts, JSON.parse(text) as Content);
      return text !== undefined;
    },
    remove: (name) => {
      if (parts.folder !== undefined && texts.has(name)) {
        rmSync(join(parts.folder, name + ENDING), { force: true });
      }
      return texts.delete(name);
    },
  };
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
  // Last: what happens by itself begins anew from the clock as it is then.
  restore(content.data);
}

function writeState(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name + ENDING), text, { mode: 0o600 });
}

function readFolder(folder: string | undefined): Map<string, string> {
  if (folder === undefined || !existsSync(folder)) return new Map();
  const names = readdirSync(folder).filter((file) => file.endsWith(ENDING));
  return new Map(
    names.map((file) => [file.slice(0, -ENDING.length), readFileSync(join(folder, file), 'utf8')]),
  );
}
