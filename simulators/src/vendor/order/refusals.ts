/** A fault in one part of a request. `pointer` is a JSON pointer into the body, or names a parameter. */
export type Fault = { readonly detail: string; readonly pointer: string };

/** A refusal of the order domain (order spec 7). */
export type OrderRefusal =
  | { readonly status: 400; readonly faults: readonly Fault[] }
  | { readonly status: 404; readonly detail: string };

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: OrderRefusal };

export function found<T>(value: T): Answer<T> {
  return { ok: true, value };
}

export function invalid(faults: readonly Fault[]): { readonly ok: false; readonly refusal: OrderRefusal } {
  return { ok: false, refusal: { status: 400, faults } };
}

export function notFound(detail: string): { readonly ok: false; readonly refusal: OrderRefusal } {
  return { ok: false, refusal: { status: 404, detail } };
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'errors:vendor:invalidRequest',
  404: 'errors:vendor:resourceNotFound',
  405: 'errors:vendor:invalidRequest',
};

/** The error envelope of order spec 2.1. Titles and pointers are not shown in the documents. */
export function orderErrorBody(status: number, title: string, faults: readonly Fault[] = []): object {
  return {
    data: [],
    info: { success: false, statusCode: status },
    error: [
      {
        type: TYPES[status] ?? 'errors:vendor:internalServerError',
        title,
        ...(faults.length > 0 && { errors: faults }),
      },
    ],
  };
}

export function refusalBody(refusal: OrderRefusal): object {
  if (refusal.status === 404) return orderErrorBody(404, refusal.detail);
  return orderErrorBody(400, 'The request is invalid.', refusal.faults);
}

/** The success envelope of order spec 2.1. */
export function orderBody(data: readonly unknown[], estimatedSearchCount: number): object {
  return { data, info: { success: true, statusCode: 200, estimatedSearchCount } };
}
