import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { MAX_SECRET_BYTES, readRegularFile, UnusableFile } from './regular-file.ts';

/** Writes a file that only this user may read, atomically. */
export function writePrivately(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}

/** The text of a regular file, up to 64 KB, that no other user may read or change. Throws `UnusableFile`, or the system's error. */
export function readPrivateFile(path: string): string {
  const { text, stats } = readRegularFile(path, MAX_SECRET_BYTES);
  if (!isPrivateTo(process.getuid?.(), stats)) throw new UnusableFile('OPEN_TO_OTHERS');
  return text;
}

/** Whether no other user may read or change a file. Throws the system's error if the file cannot be examined. */
export function isPrivate(path: string): boolean {
  return isPrivateTo(process.getuid?.(), statSync(path));
}

/**
 * Whether only `user` can read a file. If the file belongs to this user, group and others must have no rights. If it belongs to another
 * user, like a mounted secret, its group may read it (docs/decisions/0024-mounted-secrets-through-their-group.md).
 */
export function isPrivateTo(user: number | undefined, file: { readonly mode: number; readonly uid: number }): boolean {
  return (file.mode & (file.uid === user ? 0o077 : 0o007)) === 0;
}
