/**
 * The maximum number of requests a second to the vendor for a tenant whose file sets no rate, even if the vendor's quota allows more. The
 * rate that is computed from the quota (limit divided by window length) may be too high at first. The first answer in a quota window says
 * how long the rest of the window is, but not how long the whole window is.
 */
const MOST_BY_QUOTA = 25;

type Given = { readonly ratePerSecond: number; readonly rateByQuota?: true };
/** The vendor's quota. `limit`: the number of requests in a quota window; null if unknown. `seconds`: the window's length. */
type Quota = { readonly limit: number | null; readonly seconds: number };

/**
 * How many requests a second Lockstep may send to the vendor while many records change together. If the tenant file sets a rate, this is
 * `ratePerSecond`. Otherwise `ratePerSecond` is the default rate, and the requests of a quota window are spread evenly over the window. The
 * result is then at least the default rate and at most `MOST_BY_QUOTA`. If the quota is unknown, the result is `ratePerSecond`. Pure.
 */
export function vendorRate({ ratePerSecond, rateByQuota }: Given, quota: Quota | undefined): number {
  if (!rateByQuota || quota === undefined || quota.limit === null) return ratePerSecond;
  const even = quota.limit / Math.max(1, quota.seconds);
  return Math.max(ratePerSecond, Math.min(MOST_BY_QUOTA, even));
}
