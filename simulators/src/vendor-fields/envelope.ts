import type { FieldGroup } from './field-group.ts';

/** The fields around an answer's data. The client returns them as `Result` and `PartnerApiError`. */
export const ENVELOPE_FIELDS = {
  salesEnvelope: {
    section: 'sales spec 2.9',
    fields: {
      info: 'Information about the answer.',
      error: 'What went wrong; null on success.',
      data: 'What was asked for; null or empty on failure.',
    },
  },
  salesInfo: {
    section: 'sales spec 2.9',
    fields: {
      success: 'Whether the request succeeded.',
      statusCode: 'HTTP status, as the body names it: an integer.',
      timeStamp: "The vendor's time of the answer: a date-time or null. Spelt `timestamp` after a create and on 503.",
      timestamp: "The vendor's time of the answer: a date-time or null. Spelt `timeStamp` in other answers.",
      traceId: "The vendor's id of the request; may be null.",
      estimatedSearchCount: 'About how many results there are: an integer.',
    },
  },
  salesError: {
    section: 'sales spec 2.9, 7',
    fields: {
      code: 'Code of the error. The catalogue of codes is not shown in full.',
      message: 'Message of the error.',
    },
  },
  orderEnvelope: {
    section: 'order spec 2.1',
    fields: {
      data: 'The results; of an order detail, the one order. Empty on failure.',
      info: 'Information about the answer.',
      error: 'What went wrong.',
    },
  },
  orderInfo: {
    section: 'order spec 2.1',
    fields: {
      success: 'Whether the request succeeded.',
      statusCode: 'HTTP status of the answer: an integer.',
      estimatedSearchCount: 'About how many results match: an integer.',
    },
  },
  orderError: {
    section: 'order spec 2.1',
    fields: {
      type: 'Kind of the error, as `errors:<namespace>:<kind>`.',
      title: 'Message for users, possibly localised.',
      errors: 'The single faults.',
      detail: 'What is wrong.',
      pointer: 'Where it is wrong.',
    },
  },
  gatewayMessage: {
    section: 'order spec 7, sales spec 7',
    fields: { message: 'Why the gateway refused the request.' },
  },
} as const satisfies Readonly<Record<string, FieldGroup>>;
