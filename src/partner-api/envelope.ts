import { z } from 'zod';
import type { Info } from './result.ts';

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

/** The envelope around every JSON answer except the generated key's. */
export const envelope = z.looseObject({ info: wireInfo.nullish() });

/** Normalises `info`. Answers to creates and 503 answers spell the name of the timestamp differently; here it is always `timestamp`. */
export function normalizeInfo(wire: z.output<typeof wireInfo> | null | undefined): Info {
  const { timeStamp, timestamp, success, statusCode, traceId, estimatedSearchCount, ...extra } = wire ?? {};
  return {
    success: success ?? null,
    statusCode: statusCode ?? null,
    timestamp: (timeStamp || timestamp) ?? null,
    traceId: traceId ?? null,
    estimatedSearchCount: estimatedSearchCount ?? null,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}
