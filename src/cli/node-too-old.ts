/** What a person is told where Node is older than a package's `engines` want it (as `>=24`); null where it is not. */
export function nodeTooOld(engines: string, version: string): string | null {
  const [least, major] = [engines, version].map((text) => Number.parseInt(text.replace(/^\D+/, ''), 10));
  if (least === undefined || major === undefined || major >= least) return null;
  return `Lockstep needs Node ${least} or newer; this is Node ${version}.`;
}
