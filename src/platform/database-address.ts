type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The server to which PostgreSQL's driver connects. `isHere`: the server is on this machine. `sslMode`: the value of `sslmode` in the
 * address; `''` if it has none.
 */
export type DatabaseAddress = { readonly isHere: boolean; readonly sslMode: string };

/**
 * Matches a database address that contains a space, or a `%` without two hex digits. PostgreSQL's driver encodes such an address a second
 * time and may connect elsewhere, so Lockstep refuses it.
 */
const IRREGULAR = / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i;

/**
 * Finds the host and the `sslmode` of a database address by the rules of PostgreSQL's driver: `host=` replaces the address's host, and
 * `PGHOST` is used if the address names no host. Returns a problem if a part of the address is repeated or ambiguous.
 */
export function databaseAddress(value: string, env: Environment): DatabaseAddress | { readonly problem: string } {
  const url = /^postgres(ql)?:\/\/./.test(value) ? URL.parse(value) : null;
  if (url === null) return { problem: 'must be an address that begins with postgres:// or postgresql://' };
  if (IRREGULAR.test(value)) return { problem: 'holds a blank or a % that stands for itself: write %20 or %25' };
  const names = [...url.searchParams.keys()];
  const doubled = names.find((name, at) => names.indexOf(name) < at);
  if (doubled !== undefined) return { problem: 'says one of its parameters twice: keep one of them' };
  if (names.includes('uselibpqcompat'))
    return {
      problem: "would not check the server's certificate: leave uselibpqcompat out, and choose sslmode=verify-full",
    };
  const { searchParams, hostname } = url;
  const host = searchParams.get('host') || decodeURIComponent(hostname) || env['PGHOST'] || '';
  return { isHere: isOnThisMachine(host), sslMode: searchParams.get('sslmode') ?? '' };
}

/** Whether the database host is this machine: no host means loopback, and a path means a local socket. */
function isOnThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|)$/.test(host) || host.startsWith('/');
}
