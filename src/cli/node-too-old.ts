/** The error message if the running Node is older than a package's `engines` require (such as `>=24`); null if it is new enough. */
export function nodeTooOld(engines: string, version: string): string | null {
  const [least, major] = [engines, version].map((text) => Number.parseInt(text.replace(/^\D+/, ''), 10));
  if (least === undefined || major === undefined || major >= least) return null;
  return `Lockstep needs Node ${least} or newer; this is Node ${version}.`;
}
