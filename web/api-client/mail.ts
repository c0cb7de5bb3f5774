/** Whether the server sends mails: it writes that into the page. */
export const sendsMail =
  document.querySelector<HTMLMetaElement>('meta[name=mail]')?.content === 'yes';
