import { z } from 'zod';

/**
 * The `info` object of an answer (sales spec 2.9, order spec 2.1). No member is required here: the sales document
 * marks none as required and spells the timestamp in two ways.
 */
const wireInfo = z.looseObject({
  success: z.boolean().nullish(),
  statusCode: z.number().nullish(),
  timeStamp: z.string().nullish(),
  timestamp: z.string().nullish(),
  traceId: z.string().nullish(),
  estimatedSearchCount: z.number().nullish(),
});

/** `info` in one spelling; unknown members are kept. */
export type Info = {
  readonly success: boolean | null;
  readonly statusCode: number | null;
  /** The vendor's time of the answer, as sent; null when it sent none. */
  readonly timestamp: string | null;
  readonly traceId: string | null;
  readonly estimatedSearchCount: number | null;
  readonly [unknown: string]: unknown;
};

/** The envelope around every JSON answer except the generated key's. */
export const envelope = z.looseObject({ info: wireInfo.nullish() });

/** One spelling of `info`; the other spelling of the timestamp (create and 503) is read and taken away. */
export function normalizeInfo(wire: z.output<typeof wireInfo> | null | undefined): Info {
  const { timeStamp, timestamp, ...rest } = wire ?? {};
  return {
    ...rest,
    success: wire?.success ?? null,
    statusCode: wire?.statusCode ?? null,
    timestamp: (timeStamp || timestamp) ?? null,
    traceId: wire?.traceId ?? null,
    estimatedSearchCount: wire?.estimatedSearchCount ?? null,
  };
}
