/** The vendor's own time of an answer: what it says, else its `Date` header; null where it tells none. ISO. */
export function vendorTime({
  info,
  date,
}: {
  readonly info: { readonly timestamp: string | null };
  readonly date: string | null;
}): string | null {
  const told = info.timestamp;
  return told !== null && !Number.isNaN(Date.parse(told)) ? told : date;
}
