/** The base path without a slash at its end: the server writes it into the page's base element. */
export const BASE = new URL('..', document.baseURI).pathname.replace(/\/$/, '');
