import { secureHeaders } from 'hono/secure-headers';
import { isSecure, type Site } from './site.ts';

/**
 * Security headers for every answer: pages load nothing from another site, have no inline script or style, and are not shown in a frame.
 */
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
    // With `no-referrer`, browsers would not name the origin of the page in the requests of forms, and the console would refuse these
    // requests.
    referrerPolicy: 'same-origin',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    ...(isSecure(site) ? { strictTransportSecurity: 'max-age=31536000' } : { strictTransportSecurity: false }),
    permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
  });
}
