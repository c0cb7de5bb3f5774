/**
 * The server's messages to people, and their German texts. Braces name the parts that vary. A sentence
 * begins in upper case; what is said of a field does not.
 */
export const de = {
  // Values of fields
  'is required': 'ist erforderlich',
  'must not be blank': 'darf nicht leer sein',
  'must not be empty': 'darf nicht leer sein',
  'is empty': 'ist leer',
  'must be a string': 'muss ein Text sein',
  'must be a number': 'muss eine Zahl sein',
  'must be a text, a number or a boolean': 'muss ein Text, eine Zahl oder ein Wahrheitswert sein',
  'must be a string of at most {max} characters': 'darf höchstens {max} Zeichen lang sein',
  'at most {max} characters': 'höchstens {max} Zeichen',
  'must be true or false': 'muss true oder false sein',
  'must be a whole number': 'muss eine ganze Zahl sein',
  'must be a whole number from {least} to {most}':
    'muss eine ganze Zahl von {least} bis {most} sein',
  'must be {choices}': 'muss {choices} sein',
  'must be one of: {values}': 'muss eines von diesen sein: {values}',
  'must be an e-mail address': 'muss eine E-Mail-Adresse sein',
  'must not hold blanks or invisible characters':
    'darf keine Leerzeichen und keine unsichtbaren Zeichen enthalten',
  'must not hold invisible characters': 'darf keine unsichtbaren Zeichen enthalten',
  'must not contain /': 'darf kein / enthalten',
  'must not be {word}, which means something else in paths':
    'darf nicht {word} sein, das in Pfaden etwas anderes bedeutet',
  'must be a timestamp such as {one} or with an offset such as {other}':
    'muss ein Zeitpunkt sein, wie {one} oder mit einer Zeitverschiebung wie {other}',
  'must lie in the years {least} to {most} (UTC)':
    'muss in den Jahren {least} bis {most} liegen (UTC)',
  'must be in the future': 'muss in der Zukunft liegen',
  'must be a path that begins with one slash, or an http or https address':
    'muss ein Pfad sein, der mit einem Schrägstrich beginnt, oder eine Adresse mit http oder https',
  'must be an array of at most {max} {noun}': 'darf höchstens {max} {noun} enthalten',
  'must be an id, a positive whole number': 'muss eine ID sein, eine positive ganze Zahl',
  'must be an id or a URI such as {uris}': 'muss eine ID sein oder eine URI wie {uris}',
  'there is no {uri}': '{uri} gibt es nicht',
  "there is no {noun} '{name}'": '„{name}“ ({noun}) gibt es nicht',
  "'{name}' is a {noun} and a {other}: give the URI":
    '„{name}“ ist der Name von zweien ({noun}, {other}): hier hilft die URI',
  "'{name}' is a {noun} and an {other}: give the URI":
    '„{name}“ ist der Name von zweien ({noun}, {other}): hier hilft die URI',
  "'{id}' is an id, and also a name: give the URI, {ways}":
    '„{id}“ ist eine ID und zugleich ein Name: hier hilft die URI, {ways}',
  'there is no object with the id {id}': 'einen Eintrag mit der ID {id} gibt es nicht',
  'must have at most {max} applications': 'darf höchstens {max} Anwendungen enthalten',
  'must not name {uri} twice': 'darf {uri} nicht zweimal nennen',
  'the character NUL is not allowed': 'das Zeichen NUL ist nicht erlaubt',
  'a lone surrogate is not allowed': 'ein halbes Zeichen (Surrogat) ist nicht erlaubt',
  'holds a value that cannot be stored or compared':
    'enthält einen Wert, der sich nicht speichern oder vergleichen lässt',
  "in '{language}': {field} {message}": '{language}, {field}: {message}',
  'would put the organization below itself': 'würde die Organisation sich selbst unterordnen',
  'must be a view of this application': 'muss eine Ansicht dieser Anwendung sein',
  'must stay {uri}, whose tile opens this view':
    'muss {uri} bleiben, deren Kachel diese Ansicht öffnet',

  '[{index}] {message}': 'Eintrag {index}: {message}',

  // Filters and orders of views
  'unknown attribute {names}; known: {known}':
    'unbekanntes Attribut {names}; bekannt sind: {known}',
  "'{name}' must be <attribute>:<operator>:<value>":
    '„{name}“ muss die Form <Attribut>:<Operator>:<Wert> haben',
  "unknown attribute '{name}'; filterable: {known}":
    'unbekanntes Attribut „{name}“; filtern lässt sich nach: {known}',
  "'{name}' does not accept the operator '{operator}'; allowed: {operators}":
    '„{name}“ erlaubt den Operator „{operator}“ nicht; erlaubt sind: {operators}',
  '{filter}: use assignee with @me, group with @mygroups':
    '{filter}: @me gehört zu assignee, @mygroups zu group',
  '{attribute}:{operator}: {message}': '{attribute}:{operator}: {message}',
  '{attribute}:{operator}:{value}: {message}': '{attribute}:{operator}:{value}: {message}',
  'takes no value': 'nimmt keinen Wert',
  'the list takes too long with {filters}; add a filter that few items match, such as eq or starts':
    'die Liste dauert mit {filters} zu lange; ein weiterer Filter, den wenige Einträge erfüllen (etwa eq oder starts), grenzt sie ein',
  'the list takes too long sorted by {names}; add a filter that few items match, such as eq or starts':
    'die Liste dauert sortiert nach {names} zu lange; ein Filter, den wenige Einträge erfüllen (etwa eq oder starts), grenzt sie ein',
  'needs a value': 'braucht einen Wert',
  'needs a value; to find empty values use {filter}':
    'braucht einen Wert; leere Werte findet {filter}',
  'cannot be filtered by': 'danach lässt sich nicht filtern',
  'at most {max} filters': 'höchstens {max} Filter',
  'must name an attribute; sortable: {known}':
    'muss ein Attribut nennen; ordnen lässt sich nach: {known}',
  'cannot sort by {names}; sortable: {known}':
    'nach {names} lässt sich nicht ordnen; möglich sind: {known}',
  "'{name}' is given twice": '„{name}“ kommt zweimal vor',
  'at most {max} attributes': 'höchstens {max} Attribute',
  'The view cannot be executed: {message}': 'Die Ansicht lässt sich nicht ausführen: {message}',

  // Passwords, keys, invitations
  'is not the current password': 'ist nicht das aktuelle Passwort',
  'The password does not meet the password rules': 'Das Passwort erfüllt die Regeln nicht',
  'Another request has just changed the password': 'Das Passwort wurde soeben anderswo geändert',
  'Passwords are switched off (security.Password.signIn): people sign in at the identity provider':
    'Passwörter sind abgeschaltet (security.Password.signIn): Die Anmeldung geht über den Identitätsanbieter',
  'Change your own password with {call}': 'Das eigene Passwort ändern Sie mit {call}',
  'is unknown, used or expired': 'ist unbekannt, verbraucht oder abgelaufen',
  'Only an active or invited user can get an invitation':
    'Nur wer aktiv oder eingeladen ist, kann eine Einladung bekommen',
  'This server sends no mails: SMTP_URL is not set':
    'Dieser Server verschickt keine E-Mails: SMTP_URL ist nicht gesetzt',
  'A user can have at most {max} API keys': 'Mehr als {max} API-Schlüssel kann niemand haben',
  'must be IPv4 or IPv6 addresses or CIDR networks; unreadable: {addresses}':
    'müssen IPv4- oder IPv6-Adressen oder CIDR-Netze sein; unlesbar: {addresses}',
  'must hold at least one address; null means no limit':
    'muss mindestens eine Adresse enthalten; ohne Angabe gilt keine Grenze',
  'must be an IPv4 or IPv6 address': 'muss eine IPv4- oder IPv6-Adresse sein',

  // Pictures
  'The body is not a JPEG, PNG or WebP image': 'Das ist kein Bild in JPEG, PNG oder WebP',
  'not a picture that can be decoded': 'kein Bild, das sich lesen lässt',
  'takes more than {seconds} seconds to decode': 'lässt sich nicht in {seconds} Sekunden lesen',
  '{width} x {height} pixels; at most {max} are allowed':
    '{width} × {height} Bildpunkte; höchstens {max} sind erlaubt',
  '{scans} scans; at most {max} are allowed': '{scans} Durchgänge; höchstens {max} sind erlaubt',
  'takes up to {needed} MiB to decode, at most {max} are allowed; send fewer pixels, 8 bits a sample, or a picture that is neither interlaced nor progressive':
    'braucht bis zu {needed} MiB, erlaubt sind {max}; nehmen Sie weniger Bildpunkte, 8 Bit je Kanal oder ein Bild ohne stufenweisen Aufbau',
  'The body is too large; at most {limit}': 'Das ist zu groß; erlaubt sind {limit}',

  // Server parameters
  'must be a time of the day from 00:00 to 23:59': 'muss eine Uhrzeit von 00:00 bis 23:59 sein',
  'must be an IANA time zone such as {zone}': 'muss eine IANA-Zeitzone wie {zone} sein',
  'must be at most {max} visible characters': 'darf höchstens {max} sichtbare Zeichen haben',
  'must not begin or end with a blank': 'darf nicht mit einem Leerzeichen beginnen oder enden',
  'must be a colour such as {color}': 'muss eine Farbe wie {color} sein',
  'has a contrast of {contrast}:1 to the background {background}; text needs at least {least}:1 (WCAG 2.2 AA)':
    'hat zum Hintergrund {background} einen Kontrast von {contrast}:1; Text braucht mindestens {least}:1 (WCAG 2.2 AA)',
  'must be a data URL of a PNG, JPEG or WebP picture':
    'muss eine Daten-URL eines Bilds in PNG, JPEG oder WebP sein',
  'is a picture of {size} bytes; at most {max} are allowed':
    'ist ein Bild von {size} Byte; höchstens {max} sind erlaubt',
  'No identity provider is configured (OIDC_ISSUER), so nobody but sysadmin could sign in; send ?force=true to set it anyway':
    'Kein Identitätsanbieter ist eingerichtet (OIDC_ISSUER), also könnte sich außer sysadmin niemand anmelden',
  'The list does not allow your own address {address}, which would lock you out; send ?force=true to set it anyway':
    'Die Liste erlaubt Ihre eigene Adresse {address} nicht und würde Sie aussperren',

  // Conflicts
  'The task has been cancelled': 'Die Aufgabe wurde abgebrochen',
  'The task has been cancelled: {reason}': 'Die Aufgabe wurde abgebrochen: {reason}',
  'needs the status done': 'geht nur mit dem Status „erledigt“',
  'must be left out: the task has no outcomes':
    'darf nicht angegeben sein: Die Aufgabe hat keine Ergebnisse zur Wahl',
  'Only administrators change the source of a task':
    'Die Quelle einer Aufgabe ändern nur Administratoren',
  'The application of this task is not one of its source':
    'Die Anwendung dieser Aufgabe gehört nicht zu denen ihrer Quelle',
  'Only the service account of its source may write this task':
    'Nur das Dienstkonto ihrer Quelle darf diese Aufgabe schreiben',
  'Only administrators delete tasks of a source':
    'Aufgaben einer Quelle löschen nur Administratoren',
  'must have at most {max} KiB as JSON': 'darf als JSON höchstens {max} KiB haben',
  'must be nested at most {max} levels deep': 'darf höchstens {max} Ebenen tief verschachtelt sein',
  'The task is not open any more': 'Die Aufgabe ist nicht mehr offen',
  'Only administrators write the absences of other people':
    'Nur Administratoren schreiben die Abwesenheiten anderer Personen',
  'Another absence of this person overlaps this one: {reference}':
    'Eine andere Abwesenheit dieser Person überschneidet sich damit: {reference}',
  'A person can have at most {count} absences that have not ended':
    'Eine Person kann höchstens {count} Abwesenheiten haben, die nicht beendet sind',
  'People would stand in for each other in a circle: {reference}':
    'Die Personen würden sich im Kreis gegenseitig vertreten: {reference}',
  'must be another person': 'muss eine andere Person sein',
  'must be an active user': 'muss ein aktiver Benutzer sein',
  'must be later than from': 'muss nach „from“ liegen',
  'must be later than startDate': 'muss nach dem Beginn liegen',
  'must be at most {days} days after startDate':
    'darf höchstens {days} Tage nach dem Beginn liegen',
  '{name} has taken the task': '{name} hat die Aufgabe übernommen',
  'The task waits neither for you nor for a group of yours':
    'Die Aufgabe wartet weder auf Sie noch auf eine Ihrer Gruppen',
  '{name} has closed the task': '{name} hat die Aufgabe abgeschlossen',
  'The engine had already completed the task': 'Die Engine hatte die Aufgabe schon abgeschlossen',
  'The engine had completed the task before the decision was taken back':
    'Die Engine hatte die Aufgabe abgeschlossen, bevor die Entscheidung zurückgenommen wurde',
  'The engine has confirmed the decision': 'Die Engine hat die Entscheidung bestätigt',
  'The decision waits for the engine: open the task again to change it':
    'Die Entscheidung wartet auf die Engine: Öffnen Sie die Aufgabe wieder, um sie zu ändern',
  'must contain task.decided where the endpoint confirms decisions':
    'muss task.decided enthalten, wenn der Endpunkt Entscheidungen bestätigt',
  'is required for an endpoint with an adapter': 'ist erforderlich für einen Endpunkt mit Adapter',
  'must be left out for an endpoint without an adapter':
    'darf bei einem Endpunkt ohne Adapter nicht angegeben sein',
  'must be left out: an adapter sends decisions alone':
    'darf nicht angegeben sein: Ein Adapter sendet nur Entscheidungen',
  'must have no query for an endpoint with an adapter':
    'darf bei einem Endpunkt mit Adapter keine Abfrage (?) enthalten',
  'unknown variable {names}; known: {known}, or name=outcome for another name':
    'unbekannte Variable {names}; bekannt sind: {known}, oder name=outcome für einen anderen Namen',
  'must not have the same name twice': 'darf keinen Namen zweimal enthalten',
  'is required with the scheme {scheme}': 'ist erforderlich beim Verfahren {scheme}',
  'must be left out with the scheme {scheme}': 'darf beim Verfahren {scheme} nicht angegeben sein',
  'An endpoint with an adapter has credentials instead of secrets':
    'Ein Endpunkt mit Adapter hat Zugangsdaten statt Geheimnissen',
  'Only an endpoint with an adapter has credentials':
    'Zugangsdaten hat nur ein Endpunkt mit Adapter',
  'The endpoint has no secret with which it would sign: make one':
    'Der Endpunkt hat kein Geheimnis zum Signieren: Erzeugen Sie eines',
  'The SECRETS_KEY of this server does not open the secret of the endpoint: renew it':
    'Der SECRETS_KEY dieses Servers öffnet das Geheimnis des Endpunkts nicht: Erneuern Sie es',
  'The endpoint has no credentials with which it would sign in: set them':
    'Der Endpunkt hat keine Zugangsdaten, mit denen er sich anmelden würde: Setzen Sie sie',
  'Only the assignee gives a task back': 'Zurückgeben kann die Aufgabe nur, wem sie zugewiesen ist',
  'Only a task of a group or of candidates can be given back':
    'Zurückgeben lässt sich nur die Aufgabe einer Gruppe oder von Kandidaten',
  'The {attribute} is taken': 'Der Wert von „{attribute}“ ist schon vergeben',
  '{count} {noun} refers to it (as {role})': '{count} {noun} verweist darauf (als „{role}“)',
  '{count} {noun} refer to it (as {role})': '{count} {noun} verweisen darauf (als „{role}“)',
  'There can be at most {max} filters; delete one first':
    'Es kann höchstens {max} Filter geben; löschen Sie zuerst einen',
  'A person can share at most {max} filters; stop sharing one first':
    'Eine Person kann höchstens {max} Filter teilen; beenden Sie zuerst das Teilen eines anderen',
  'a shared filter can have at most {max} conditions on linked objects or inside texts':
    'ein geteilter Filter kann höchstens {max} Bedingungen auf verknüpfte Objekte oder innerhalb von Texten haben',
  'The filter cannot be executed: {message}': 'Der Filter lässt sich nicht ausführen: {message}',
  'only administrators share with everyone': 'nur Administratoren teilen mit allen',
  'must be groups of yours; you are no member of {uris}':
    'müssen eigene Gruppen sein; Sie gehören nicht zu {uris}',
  '{filter}: use @now, @now+7d or @now-12h': '{filter}: möglich sind @now, @now+7d oder @now-12h',
  '{filter}: views cannot compare with @now':
    '{filter}: Ansichten können nicht mit @now vergleichen',
  'takes too long to count': 'lässt sich nicht schnell genug zählen',
  'A task can have at most {max} files': 'Eine Aufgabe kann höchstens {max} Dateien haben',
  'The files of a task can have at most {max} MiB together':
    'Die Dateien einer Aufgabe dürfen zusammen höchstens {max} MiB haben',
  'A person can send at most {max} MiB of files in a day':
    'Eine Person kann an einem Tag höchstens {max} MiB an Dateien senden',
  'The files of all tasks can have at most {max} MiB together':
    'Die Dateien aller Aufgaben dürfen zusammen höchstens {max} MiB haben',
  'Only the person who added a file deletes it, or an administrator':
    'Nur wer eine Datei hinzugefügt hat, löscht sie, oder ein Administrator',
  'must be the name of a file: at most {max} characters, no slashes, control or invisible characters':
    'muss ein Dateiname sein: höchstens {max} Zeichen, keine Schrägstriche, Steuerzeichen oder unsichtbaren Zeichen',
  'Too many requests: a person may send {max} files at once':
    'Zu viele Anfragen: Eine Person kann {max} Dateien gleichzeitig senden',
  'Too many requests: an account may push {max} streams at once':
    'Zu viele Anfragen: Ein Konto kann {max} Datenströme gleichzeitig senden',
  'Too many requests: a person may read {max} files at once':
    'Zu viele Anfragen: Eine Person kann {max} Dateien gleichzeitig herunterladen',
  'must be visible ASCII characters without blanks with the scheme bearer':
    'muss beim Verfahren bearer aus sichtbaren ASCII-Zeichen ohne Leerzeichen bestehen',
  'must not contain a colon with the scheme basic':
    'darf beim Verfahren basic keinen Doppelpunkt enthalten',
  'There can be at most {max} favourites; remove one first':
    'Es kann höchstens {max} Favoriten geben; entfernen Sie zuerst einen',
  'The resource conflicts with an existing one': 'Der Eintrag widerspricht einem anderen',
  'The resource refers to one that does not exist, or another still refers to it':
    'Der Eintrag verweist auf einen, den es nicht gibt, oder ein anderer verweist noch auf ihn',
  'The system administrator cannot be deleted': 'Der Systemadministrator lässt sich nicht löschen',
  'The system administrator cannot be renamed, deactivated or stripped of its role':
    'Der Systemadministrator lässt sich nicht umbenennen, deaktivieren oder seiner Rolle entheben',
  'The resource has changed since you read it: If-Match does not name its current ETag':
    'Der Eintrag wurde geändert, seit Sie ihn geöffnet haben',

  // Access
  'Bad or invalid authentication': 'Die Anmeldung ist falsch oder ungültig',
  'You are not logged in: the token is missing, invalid or expired': 'Sie sind nicht angemeldet',
  'You have no access to this endpoint or resource': 'Sie haben hierauf keinen Zugriff',
  'You may not change: {attributes}': 'Das dürfen Sie nicht ändern: {attributes}',
  'Only the system administrator may change this account':
    'Dieses Konto darf nur der Systemadministrator ändern',
  'The calling address is not authorized': 'Ihre Adresse hat keinen Zugang',
  'Confirm your password first (POST /api/v2/authentication/confirmation), or sign in again: this call requires a sign-in or confirmation in the last {minutes} minutes, and a sign-in by API key does not count':
    'Dafür müssen Sie sich in den letzten {minutes} Minuten angemeldet oder Ihr Passwort bestätigt haben',
  'Sign in by password or identity provider: this call requires such a sign-in in the last {minutes} minutes, and the token of an API key does not count':
    'Dafür müssen Sie sich in den letzten {minutes} Minuten mit Passwort oder über den Identitätsanbieter angemeldet haben',

  // Limits and faults
  'Not found': 'Nicht gefunden',
  'Too many requests': 'Zu viele Anfragen',
  'Too many requests: an account may hold {max} tokens; end a session first':
    'Zu viele Sitzungen: Ein Konto darf {max} haben; beenden Sie zuerst eine',
  'Too many requests: an account may write {max} times at once, and as many times in each further minute':
    'Zu viele Änderungen: Ein Konto darf {max} auf einmal machen und ebenso viele in jeder weiteren Minute',
  'Too many requests: a person may have {max} streams of counters':
    'Zu viele Verbindungen: Eine Person darf {max} für ihre Zähler haben',
  'the items exceed {size} MiB; request fewer: the first {count} fit':
    'die Einträge sind größer als {size} MiB; die ersten {count} passen',
  'The request took too long to arrive': 'Die Anfrage kam zu langsam an',
  'The service is temporarily unavailable': 'Der Server ist vorübergehend nicht verfügbar',
  'Internal server error': 'Der Server hat einen Fehler gemacht',
  'Invalid: {attributes}': 'Ungültig: {attributes}',

  // Endpoints
  'is required for an endpoint of the mode push':
    'ist für einen Endpunkt der Art „Zustellung“ erforderlich',
  'must be left out for an endpoint of the mode pull':
    'darf für einen Endpunkt der Art „Abholung“ nicht angegeben sein',
  'must not contain a colon: it ends the name of a source in paths':
    'darf keinen Doppelpunkt enthalten: Er beendet in Pfaden den Namen einer Quelle',
  'must not be a number: paths take an id or a reference':
    'darf keine Zahl sein: Pfade nehmen eine ID oder eine Referenz',
  'must be an http or https address': 'muss eine Adresse mit http oder https sein',
  'must not hold a user name or a password': 'darf weder Benutzernamen noch Passwort enthalten',
  'must not hold a fragment': 'darf kein Fragment (#) enthalten',
  'plain http goes only to networks that the server parameter deliveries.destinations lists':
    'unverschlüsseltes http geht nur an Netze, die der Serverparameter deliveries.destinations nennt',
  'leads to {host}, which the server parameter deliveries.destinations does not allow':
    'führt zu {host}, was der Serverparameter deliveries.destinations nicht erlaubt',
  'unknown kind {kinds}; known: {known}': 'unbekannte Art {kinds}; bekannt sind: {known}',
  'must be host names, *.names or CIDR networks; unreadable: {texts}':
    'muss aus Hostnamen, *.Namen oder CIDR-Netzen bestehen; unlesbar: {texts}',
  'Only an endpoint of the mode push has secrets':
    'Nur ein Endpunkt der Art „Zustellung“ hat Geheimnisse',
  'An endpoint can have at most {max} valid secrets':
    'Ein Endpunkt kann höchstens {max} gültige Geheimnisse haben',
  'This server has no SECRETS_KEY, with which it would encrypt the secret':
    'Dieser Server hat keinen SECRETS_KEY, mit dem er das Geheimnis verschlüsseln würde',
};

/** A message as the server writes it, with its varying parts in braces. */
export type Template = keyof typeof de;

/** The words that stand in messages for resources and for attributes. */
export const deWords: Record<string, string> = {
  filter: 'Filter',
  filters: 'Filter',
  'attribute names': 'Attribute',
  'kinds of events': 'Arten von Ereignissen',
  variables: 'Variablen',
  user: 'Person',
  users: 'Personen',
  organization: 'Organisation',
  organizations: 'Organisationen',
  group: 'Gruppe',
  groups: 'Gruppen',
  category: 'Kategorie',
  application: 'Anwendung',
  applications: 'Anwendungen',
  source: 'Quelle',
  sources: 'Quellen',
  endpoint: 'Endpunkt',
  endpoints: 'Endpunkte',
  'user or group': 'Person oder Gruppe',
  view: 'Ansicht',
  views: 'Ansichten',
  task: 'Aufgabe',
  tasks: 'Aufgaben',
  document: 'Dokument',
  documents: 'Dokumente',
  'news item': 'Neuigkeit',
  'news items': 'Neuigkeiten',
  'frequently asked question': 'Frage',
  faq: 'Frage',
  faqs: 'Fragen',
  customer: 'Kunde',
  customers: 'Kunden',
  manager: 'Leitung',
  parent: 'Übergeordnet',
  assignee: 'Zugewiesen an',
  audience: 'Zielgruppe',
  account: 'Konto',
  'service account': 'Dienstkonto',
  'fallback group': 'Gruppe für Unbekannte',
  author: 'Autor',
  title: 'Titel',
  label: 'Bezeichnung',
  keywords: 'Stichwörter',
  login: 'Anmeldename',
  reference: 'Referenz',
  email: 'E-Mail',
  'external id': 'Externe ID',
  externalId: 'Externe ID',
};
