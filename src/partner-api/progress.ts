import type { Dispatcher } from 'undici';

/** Whether any part of a request was written to a connection. If no part was written, the vendor cannot have applied the request. */
export type Progress = { started: boolean };

/** Wraps a dispatcher so that it sets `progress.started` when a request begins to be sent. */
export function watchProgress(dispatcher: Dispatcher, progress: Progress): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => dispatch(options, noteStart(handler, progress)));
}

function noteStart(handler: Dispatcher.DispatchHandler, progress: Progress): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => {
      progress.started = true;
      handler.onRequestStart?.(controller, context);
    },
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}
