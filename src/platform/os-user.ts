import { hostname, userInfo } from 'node:os';

/** User and host of this process, by the operating system; `uid N` for a user without a name, as in a container. */
export function osUser(): { readonly user: string; readonly host: string } {
  let user: string;
  try {
    user = userInfo().username;
  } catch {
    user = `uid ${process.getuid?.() ?? 'unknown'}`;
  }
  return { user, host: hostname() };
}
