const LOOPBACK = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/;

/** True for the names by which a server that listens on the loopback is rightly asked, those below `localhost` too. */
export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK.test(hostname) || /^(?:[a-z0-9-]+\.)+localhost$/.test(hostname);
}
