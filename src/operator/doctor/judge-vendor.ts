import type { VendorWatch } from '../status/vendor-watch.ts';
import { type Judgment, ok } from './finding.ts';

/**
 * Judges facts about the vendor that Lockstep stored while it synced: codes in vendor records that neither the vendor's documents nor the
 * tenant's mapping contain, and changes of the vendor's catalog in the last week.
 */
export function judgeVendor({ codes, changes }: VendorWatch): readonly Judgment[] {
  const unknown = codes.map(
    ({ field, code, repair }): Judgment => ({
      verdict: 'warns',
      what: `the vendor shows the ${field} ${code}, which no table knows`,
      repair,
    }),
  );
  const findings = changes.map(({ at, what }) => ok(`${what}, seen ${at}`));
  const found = [...unknown, ...findings];
  return found.length > 0 ? found : [ok('no code is unknown, and nothing of the catalog changed in a week')];
}
