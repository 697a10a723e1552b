const LOOPBACK = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/;

/** Whether a host name may be used to reach a server on loopback, names below `localhost` included. */
export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK.test(hostname) || /^(?:[a-z0-9-]+\.)+localhost$/.test(hostname);
}
