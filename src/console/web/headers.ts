import { secureHeaders } from 'hono/secure-headers';
import { isSecure, type Site } from './site.ts';

/** Headers of every answer: nothing from another site, no inline script or style, no frame around the pages, and no cache. */
export function protectingHeaders(site: Site) {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: 'DENY',
    // Not `no-referrer`, with which browsers name no origin in the requests of forms.
    referrerPolicy: 'same-origin',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    ...(isSecure(site) ? { strictTransportSecurity: 'max-age=31536000' } : { strictTransportSecurity: false }),
    permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  });
}
