import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Asset = {
  /** The file's path. It contains a piece of the content's hash, so that browsers may cache the file forever. */
  readonly path: string;
  readonly type: string;
  readonly content: string;
};

function asset(name: string, type: string): Asset {
  const content = readFileSync(join(import.meta.dirname, '..', 'assets', name), 'utf8');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { path: `/assets/${hash}/${name}`, type, content };
}

/** The files that pages load, all from the console itself. */
export const ASSETS = {
  style: asset('console.css', 'text/css; charset=utf-8'),
  script: asset('console.js', 'text/javascript; charset=utf-8'),
  studio: asset('studio.js', 'text/javascript; charset=utf-8'),
  icon: asset('icon.svg', 'image/svg+xml'),
} as const;
