import type { MailTexts } from './mail-texts.js';

export const de: MailTexts = {
  invitation: ({ name, login, address, place }) => ({
    subject: `Ihr Konto bei ${place}`,
    greeting: `Guten Tag ${name},`,
    paragraphs: [
      `Sie sind zu ${place} eingeladen. Ihr Anmeldename ist ${login}.`,
      'Öffnen Sie diesen Link und wählen Sie ein Passwort. Der Link gilt einmal und 72 Stunden lang.',
    ],
    button: { label: 'Passwort wählen', address },
    ending:
      'Wenn Sie diese Nachricht nicht erwartet haben, fragen Sie die Administration Ihrer Organisation.',
  }),
  'password-reset': ({ name, login, address, place }) => ({
    subject: `Ein neues Passwort für ${place}`,
    greeting: `Guten Tag ${name},`,
    paragraphs: [
      `Für Ihr Konto ${login} bei ${place} wurde ein neues Passwort angefordert.`,
      'Öffnen Sie diesen Link und legen Sie es fest. Der Link gilt einmal und 30 Minuten lang. Er beendet alle Sitzungen und API-Schlüssel des Kontos.',
    ],
    button: { label: 'Neues Passwort festlegen', address },
    ending:
      'Wenn Sie das nicht waren, löschen Sie diese Nachricht: Ihr Passwort bleibt, wie es ist.',
  }),
};
