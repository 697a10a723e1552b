import { execFileSync } from 'node:child_process';
import { isIP } from 'node:net';
import { join } from 'node:path';

/**
 * Where a package's sources are, for its manifest.
 * @typedef {object} Published
 * @property {{ type: 'git', url: string }} [repository]
 * @property {unknown} [bugs]
 * @property {string} [homepage]
 */

/** Hosts whose pages follow from the address of a repository. */
const WITH_PAGES = ['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org'];

/** `user@host:path`, git's short form of an ssh address. */
const SCP_LIKE = /^(?:([\w.-]+)@)?([\w.-]+):(?!\/\/)\/?(.+)$/;

const SCHEMES = ['https:', 'ssh:', 'git:'];

/**
 * `repository`, `bugs` and `homepage` of a package: as the checkout's manifest says them, else after the checkout's
 * remote `origin`. Empty where neither tells.
 * @param {{ repository?: any, bugs?: any, homepage?: any }} manifest the checkout's
 * @param {string} root the checkout
 * @returns {Published}
 */
export function publishedFrom({ repository, bugs, homepage }, root) {
  if (repository) return { repository, ...(bugs && { bugs }), ...(homepage && { homepage }) };
  return publishedAt(originOf(root));
}

/**
 * @param {string | null} remote as git keeps it
 * @returns {Published} nothing where the remote is no address that others reach: a folder of this machine, a name of its
 * own, an address of its own
 */
export function publishedAt(remote) {
  const url = remote === null ? null : publicUrl(remote);
  if (url === null) return {};
  const repository = /** @type {const} */ ({
    type: 'git',
    url: `${url.protocol === 'git:' ? '' : 'git+'}${url}`,
  });
  if (!WITH_PAGES.includes(url.host)) return { repository };
  const page = `https://${url.host}${url.pathname.replace(/\.git$/, '')}`;
  return { repository, bugs: { url: `${page}/issues` }, homepage: `${page}#readme` };
}

/**
 * @param {string} remote
 * @returns {URL | null} the address without who asks for it: a token often stands in a remote
 */
function publicUrl(remote) {
  const [, user, host, path] = SCP_LIKE.exec(remote) ?? [];
  const address = host === undefined ? remote : `ssh://${user === undefined ? '' : `${user}@`}${host}/${path}`;
  const url = URL.parse(address);
  if (url === null || !SCHEMES.includes(url.protocol) || !isPublicHost(url.hostname)) return null;
  if (url.pathname.length < 2) return null;
  // Everybody's name on a git host; any other is somebody's.
  url.username = url.protocol === 'ssh:' && url.username === 'git' ? 'git' : '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url;
}

/**
 * A name without a dot is one of this machine's or its network's (an alias of ssh, say); so is a bare address.
 * @param {string} host
 * @returns {boolean}
 */
function isPublicHost(host) {
  const isAddress = isIP(host) !== 0 || host.startsWith('[');
  return host.includes('.') && !isAddress && !/\.(?:local|localhost|internal)$/.test(host);
}

/**
 * @param {string} root
 * @returns {string | null} the checkout's own remote, never that of a repository around it
 */
function originOf(root) {
  try {
    const args = ['--git-dir', join(root, '.git'), 'config', '--get', 'remote.origin.url'];
    return execFileSync('git', args, { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString('utf8')
      .trim();
  } catch {
    // No checkout, no remote, or no git: nothing to tell.
    return null;
  }
}
