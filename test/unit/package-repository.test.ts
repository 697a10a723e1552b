import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { publishedAt, publishedFrom } from '../../scripts/package/repository.mjs';

describe('the repository that a remote stands for', () => {
  it.each([
    ['https://github.com/acme/lockstep.git', 'git+https://github.com/acme/lockstep.git'],
    ['https://github.com/acme/lockstep', 'git+https://github.com/acme/lockstep'],
    ['https://bob:ghp_token@github.com/acme/lockstep.git', 'git+https://github.com/acme/lockstep.git'],
    ['https://ghp_token@git.acme.example/lockstep?a=b#c', 'git+https://git.acme.example/lockstep'],
    ['https://git.acme.example:8443/lockstep.git', 'git+https://git.acme.example:8443/lockstep.git'],
    ['git@github.com:acme/lockstep.git', 'git+ssh://git@github.com/acme/lockstep.git'],
    ['bob@git.acme.example:/srv/lockstep.git', 'git+ssh://git.acme.example/srv/lockstep.git'],
    ['ssh://git:secret@gitlab.com/acme/lockstep.git', 'git+ssh://git@gitlab.com/acme/lockstep.git'],
    ['ssh://bob@git.acme.example:2222/lockstep.git', 'git+ssh://git.acme.example:2222/lockstep.git'],
    ['git://git.acme.example/lockstep.git', 'git://git.acme.example/lockstep.git'],
  ])('%s', (remote, url) => {
    expect(publishedAt(remote).repository).toEqual({ type: 'git', url });
  });

  it.each([
    ['a folder', '/srv/git/lockstep.git'],
    ['a folder beside', '../lockstep'],
    ['a folder on Windows', 'C:\\git\\lockstep'],
    ['a folder on Windows with slashes', 'C:/git/lockstep'],
    ['a folder as an address', 'file:///srv/git/lockstep.git'],
    ['this machine', 'https://localhost/lockstep.git'],
    ['an address of this machine', 'https://127.0.0.1:3000/lockstep.git'],
    ['an address of version 6', 'ssh://git@[::1]/lockstep.git'],
    ['an alias of ssh', 'gh:acme/lockstep.git'],
    ['a name of the local network', 'git@box.local:lockstep.git'],
    ['unencrypted', 'http://git.acme.example/lockstep.git'],
    ['a host alone', 'https://github.com/'],
    ['a bundle', 'lockstep.bundle'],
    ['nothing', ''],
  ])('does not learn of %s', (_what, remote) => {
    expect(publishedAt(remote)).toEqual({});
  });

  it.each([
    ['git@github.com:acme/lockstep.git', 'https://github.com/acme/lockstep'],
    ['https://gitlab.com/acme/sync/lockstep.git', 'https://gitlab.com/acme/sync/lockstep'],
  ])('has the pages of a host that is known: %s', (remote, page) => {
    expect(publishedAt(remote)).toMatchObject({
      bugs: { url: `${page}/issues` },
      homepage: `${page}#readme`,
    });
  });

  it('has no pages where the host is not known', () => {
    expect(Object.keys(publishedAt('https://git.acme.example/lockstep.git'))).toEqual(['repository']);
  });
});

describe('the repository of a checkout', () => {
  const home = mkdtempSync(join(tmpdir(), 'lockstep-origin-'));
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', home, ...args]);
  git('init', '--quiet');
  git('remote', 'add', 'origin', 'https://token@github.com/acme/lockstep.git');
  const inside = join(home, 'inside');
  mkdirSync(inside);
  afterAll(() => rmSync(home, { recursive: true }));

  it('is its origin, without the token', () => {
    const { repository } = publishedFrom({}, home);
    expect(repository?.url).toBe('git+https://github.com/acme/lockstep.git');
  });

  it('is what the manifest says, with its pages, where it says it', () => {
    const own = { repository: 'github:other/name', bugs: 'https://other.example/bugs', homepage: undefined };
    expect(publishedFrom(own, home)).toEqual({
      repository: 'github:other/name',
      bugs: 'https://other.example/bugs',
    });
  });

  it('is not that of a repository around it', () => {
    expect(publishedFrom({}, inside)).toEqual({});
  });
});
