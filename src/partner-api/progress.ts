import type { Dispatcher } from 'undici';

/** Whether a request began to be written to a connection; until then it cannot have been applied. */
export type Progress = { started: boolean };

/** A dispatcher that also sets `progress.started` when the request starts to be sent. */
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
