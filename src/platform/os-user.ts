import { hostname, userInfo } from 'node:os';

/** Returns the operating system's names of this process's user and host. A user without a name, as in a container, is `uid N`. */
export function osUser(): { readonly user: string; readonly host: string } {
  let user: string;
  try {
    user = userInfo().username;
  } catch {
    user = `uid ${process.getuid?.() ?? 'unknown'}`;
  }
  return { user, host: hostname() };
}
