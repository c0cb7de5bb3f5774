/**
 * The German texts of the server's reasons, by their codes (docs/api-contract.md#reasons). Braces name the parameters.
 * A sentence begins in upper case; the fault of a field does not.
 */
export const de = {
  // Values of fields
  item: 'Eintrag {index}',
  required: 'ist erforderlich',
  'required-in-put':
    'muss angegeben sein: Mit dem Standardwert könnten mehr Personen den Eintrag sehen',
  blank: 'darf nicht leer sein',
  empty: 'darf nicht leer sein',
  'not-a-text': 'muss ein Text sein',
  'not-a-number': 'muss eine Zahl sein',
  'not-a-scalar': 'muss ein Text, eine Zahl oder ein Wahrheitswert sein',
  'too-long': 'darf höchstens {max} Zeichen lang sein',
  'too-many-characters': 'höchstens {max} Zeichen',
  'not-a-boolean': 'muss true oder false sein',
  'not-an-integer': 'muss eine ganze Zahl sein',
  'out-of-range': 'muss eine ganze Zahl von {least} bis {most} sein',
  'not-one-of': 'muss {choices} sein',
  'not-an-email': 'muss eine E-Mail-Adresse sein',
  'invisible-characters': 'darf keine Leerzeichen und keine unsichtbaren Zeichen enthalten',
  'not-a-timestamp':
    'muss ein Zeitpunkt sein, wie {example} oder mit einer Zeitverschiebung wie {offset}',
  'bad-year': 'muss in den Jahren {first} bis {last} liegen (UTC)',
  'not-in-the-future': 'muss in der Zukunft liegen',
  'not-a-link-target':
    'muss ein Pfad sein, der mit einem Schrägstrich beginnt, oder eine Adresse mit http oder https',
  'too-many-items': 'darf höchstens {max} {noun} enthalten',
  'not-an-id': 'muss eine ID sein, eine positive ganze Zahl',
  'not-a-link': 'muss eine ID sein oder eine URI wie {uris}',
  'not-a-link-or-name': 'muss eine ID sein, eine URI wie {uris} oder ein Name',
  'unknown-object': '{uri} gibt es nicht',
  'inactive-user': 'der Benutzer „{name}“ ist nicht aktiv',
  'unknown-name': '„{value}“ ({noun}) gibt es nicht',
  'ambiguous-name': '„{value}“ ist der Name von zweien ({nouns}): hier hilft die URI',
  'unknown-id': 'einen Eintrag mit der ID {id} gibt es nicht',
  'too-many-applications': 'darf höchstens {max} Anwendungen enthalten',
  'repeated-link': 'darf {uri} nicht zweimal nennen',
  'nul-character': 'das Zeichen NUL ist nicht erlaubt',
  'lone-surrogate': 'ein halbes Zeichen (Surrogat) ist nicht erlaubt',
  'not-storable': 'enthält einen Wert, der sich nicht speichern oder vergleichen lässt',
  'below-itself': 'würde die Organisation sich selbst unterordnen',
  'foreign-view': 'muss eine Ansicht dieser Anwendung sein',
  'opened-by-tile': 'muss {uri} bleiben, deren Kachel diese Ansicht öffnet',

  // Filters and orders of views
  'unknown-attributes': 'unbekanntes Attribut {names}; bekannt sind: {known}',
  'bad-filter': '„{value}“ muss die Form <Attribut>:<Operator>:<Wert> haben',
  'not-filterable': 'unbekanntes Attribut „{value}“; filtern lässt sich nach: {known}',
  'bad-operator': '„{attribute}“ erlaubt den Operator „{operator}“ nicht; erlaubt sind: {allowed}',
  'empty-value': 'braucht einen Wert vor und nach jedem Komma',
  'bad-escape': 'ein Backslash steht nur vor einem Komma oder einem anderen Backslash',
  'too-many-filter-values': 'höchstens {max} Werte',
  'misplaced-caller': '@me gehört zu assignee, @mygroups zu group, jeweils allein mit eq oder neq',
  'takes-no-value': 'nimmt keinen Wert',
  'filters-too-slow':
    'die Liste dauert mit {names} zu lange; ein weiterer Filter, den wenige Einträge erfüllen (etwa eq oder starts), grenzt sie ein',
  'sorter-too-slow':
    'die Liste dauert sortiert nach {names} zu lange; ein Filter, den wenige Einträge erfüllen (etwa eq oder starts), grenzt sie ein',
  'needs-a-value': 'braucht einen Wert',
  'needs-a-value-or-isempty': 'braucht einen Wert; leere Werte findet {instead}',
  'no-filter': 'danach lässt sich nicht filtern',
  'too-many-filters': 'höchstens {max} Filter',
  'missing-sort-key': 'muss ein Attribut nennen; ordnen lässt sich nach: {known}',
  'not-sortable': 'nach {names} lässt sich nicht ordnen; möglich sind: {known}',
  'repeated-sort-key': '„{attribute}“ kommt zweimal vor',
  'too-many-sort-keys': 'höchstens {max} Attribute',
  'view-not-executable': 'Die Ansicht lässt sich nicht ausführen: {fault}',

  // Passwords, keys, invitations
  'wrong-current-password': 'ist nicht das aktuelle Passwort',
  'weak-password': 'Das Passwort erfüllt die Regeln nicht',
  'password-changed-meanwhile': 'Das Passwort wurde soeben anderswo geändert',
  'passwords-off':
    'Passwörter sind abgeschaltet (security.Password.signIn): Die Anmeldung geht über den Identitätsanbieter',
  'own-password': 'Das eigene Passwort ändern Sie mit {call}',
  'bad-code': 'ist unbekannt, verbraucht oder abgelaufen',
  'not-invitable': 'Nur wer aktiv oder eingeladen ist, kann eine Einladung bekommen',
  'no-mail': 'Dieser Server verschickt keine E-Mails: SMTP_URL ist nicht gesetzt',
  'too-many-keys': 'Mehr als {max} API-Schlüssel kann niemand haben',
  'bad-addresses': 'müssen IPv4- oder IPv6-Adressen oder CIDR-Netze sein; unlesbar: {unreadable}',
  'no-address': 'muss mindestens eine Adresse enthalten; ohne Angabe gilt keine Grenze',
  'not-an-address': 'muss eine IPv4- oder IPv6-Adresse sein',

  // Imports
  'derived-title': 'entsteht aus firstName und lastName: geben Sie auch diese an',
  'bad-cell-count': 'hat {count} Zellen, die Kopfzeile hat {expected}',
  'no-key': 'fehlt: es benennt den Eintrag',
  'same-row': 'steht schon in Zeile {first}',
  'sysadmin-imported': 'ist der Systemadministrator, der nicht importiert wird',
  'unreadable-file': 'ist nicht lesbar: {why}',
  'too-many-lines': 'hat mehr als {max} Zeilen; so viele importiert nur die Befehlszeile',
  'not-a-login': 'muss ein Anmeldename sein',
  'not-a-reference': 'muss eine Referenz sein',
  'not-references': 'muss eine Liste von Referenzen sein: {resource}',
  'not-members': 'muss eine Liste wie {examples} sein',

  // Pictures
  'not-an-image': 'Das ist kein Bild in JPEG, PNG oder WebP',
  'not-decodable': 'kein Bild, das sich lesen lässt',
  'slow-picture': 'lässt sich nicht in {seconds} Sekunden lesen',
  'too-many-pixels': '{width} × {height} Bildpunkte; höchstens {max} sind erlaubt',
  'too-many-scans': '{scans} Durchgänge; höchstens {max} sind erlaubt',
  'picture-needs-memory':
    'braucht bis zu {needed} MiB, erlaubt sind {max}; nehmen Sie weniger Bildpunkte, 8 Bit je Kanal oder ein Bild ohne stufenweisen Aufbau',
  'body-too-large': 'Das ist zu groß; erlaubt sind {limit}',

  // Server parameters
  'not-a-time': 'muss eine Uhrzeit von 00:00 bis 23:59 sein',
  'not-a-time-zone': 'muss eine IANA-Zeitzone wie {zone} sein',
  'bad-name': 'darf höchstens {max} sichtbare Zeichen haben',
  'blank-at-an-end': 'darf nicht mit einem Leerzeichen beginnen oder enden',
  'not-a-color': 'muss eine Farbe wie {color} sein',
  'low-contrast':
    'hat zum Hintergrund {background} einen Kontrast von {contrast}:1; Text braucht mindestens {least}:1 (WCAG 2.2 AA)',
  'not-a-picture': 'muss eine Daten-URL eines Bilds in PNG, JPEG oder WebP sein',
  'picture-too-large': 'ist ein Bild von {size} Byte; höchstens {max} sind erlaubt',
  'no-identity-provider':
    'Kein Identitätsanbieter ist eingerichtet (OIDC_ISSUER), also könnte sich außer sysadmin niemand anmelden',
  'locks-you-out': 'Die Liste erlaubt Ihre eigene Adresse {address} nicht und würde Sie aussperren',

  // Conflicts
  'task-cancelled': 'Die Aufgabe wurde abgebrochen',
  'task-cancelled-because': 'Die Aufgabe wurde abgebrochen: {why}',
  'not-done': 'geht nur mit dem Status „erledigt“',
  'no-outcomes': 'darf nicht angegeben sein: Die Aufgabe hat keine Ergebnisse zur Wahl',
  'source-changed': 'Die Quelle einer Aufgabe ändern nur Administratoren',
  'application-of-another-source':
    'Die Anwendung dieser Aufgabe gehört nicht zu denen ihrer Quelle',
  'not-the-service-account': 'Nur das Dienstkonto ihrer Quelle darf diese Aufgabe schreiben',
  'task-of-source-deleted': 'Aufgaben einer Quelle löschen nur Administratoren',
  'too-large-as-json': 'darf als JSON höchstens {max} KiB haben',
  'too-deep': 'darf höchstens {max} Ebenen tief verschachtelt sein',
  'task-closed': 'Die Aufgabe ist nicht mehr offen',
  'absence-of-others': 'Nur Administratoren schreiben die Abwesenheiten anderer Personen',
  'absences-overlap-with':
    'Eine andere Abwesenheit dieser Person überschneidet sich damit: {reference}',
  'circle-of-absences': 'Die Personen würden sich im Kreis gegenseitig vertreten: {reference}',
  'too-many-absences':
    'Eine Person kann höchstens {max} Abwesenheiten haben, die nicht beendet sind',
  'too-many-shared-filters':
    'Eine Person kann höchstens {max} Filter teilen; beenden Sie zuerst das Teilen eines anderen',
  'shared-filter-too-demanding':
    'ein geteilter Filter kann höchstens {max} Bedingungen auf verknüpfte Objekte oder innerhalb von Texten haben',
  'too-many-bytes-in-a-day': 'Eine Person kann an einem Tag höchstens {max} MiB an Dateien senden',
  'all-files-too-large': 'Die Dateien aller Aufgaben dürfen zusammen höchstens {max} MiB haben',
  'visible-characters': 'darf keine unsichtbaren Zeichen enthalten',
  'slash-in-name': 'darf kein / enthalten',
  'reserved-word': 'darf nicht {word} sein, das in Pfaden etwas anderes bedeutet',
  'id-and-name': '„{id}“ ist eine ID und zugleich ein Name: hier hilft die URI, {ways}',
  'absence-too-long': 'darf höchstens {days} Tage nach dem Beginn liegen',
  'own-substitute': 'muss eine andere Person sein',
  'inactive-substitute': 'muss ein aktiver Benutzer sein',
  'not-after': 'muss nach „{other}“ liegen',
  'task-taken': '{name} hat die Aufgabe übernommen',
  'not-waiting-for-you': 'Die Aufgabe wartet weder auf Sie noch auf eine Ihrer Gruppen',
  'task-closed-by': '{name} hat die Aufgabe abgeschlossen',
  'engine-completed-task': 'Die Engine hatte die Aufgabe schon abgeschlossen',
  'engine-completed-before':
    'Die Engine hatte die Aufgabe abgeschlossen, bevor die Entscheidung zurückgenommen wurde',
  'decision-confirmed': 'Die Engine hat die Entscheidung bestätigt',
  'decision-waits':
    'Die Entscheidung wartet auf die Engine: Öffnen Sie die Aufgabe wieder, um sie zu ändern',
  'required-by-adapter': 'ist erforderlich für einen Endpunkt mit Adapter',
  'excluded-without-adapter': 'darf bei einem Endpunkt ohne Adapter nicht angegeben sein',
  'adapter-sends-decisions': 'darf nicht angegeben sein: Ein Adapter sendet nur Entscheidungen',
  'query-with-adapter': 'darf bei einem Endpunkt mit Adapter keine Abfrage (?) enthalten',
  'unknown-variable':
    'unbekannte Variable {unknown}; bekannt sind: {known}, oder name=outcome für einen anderen Namen',
  'repeated-variable': 'darf keinen Namen zweimal enthalten',
  'required-by-scheme': 'ist erforderlich beim Verfahren {scheme}',
  'excluded-by-scheme': 'darf beim Verfahren {scheme} nicht angegeben sein',
  'secret-of-adapter': 'Ein Endpunkt mit Adapter hat Zugangsdaten statt Geheimnissen',
  'credentials-without-adapter': 'Zugangsdaten hat nur ein Endpunkt mit Adapter',
  'no-secret': 'Der Endpunkt hat kein Geheimnis zum Signieren: Erzeugen Sie eines',
  'secret-not-opened':
    'Der SECRETS_KEY dieses Servers öffnet das Geheimnis des Endpunkts nicht: Erneuern Sie es',
  'no-credentials':
    'Der Endpunkt hat keine Zugangsdaten, mit denen er sich anmelden würde: Setzen Sie sie',
  'not-the-assignee': 'Zurückgeben kann die Aufgabe nur, wem sie zugewiesen ist',
  'no-group-to-give-back':
    'Zurückgeben lässt sich nur die Aufgabe einer Gruppe oder von Kandidaten',
  taken: 'Der Wert von „{attribute}“ ist schon vergeben',
  'referenced-once': '{count} {noun} verweist darauf (als „{role}“)',
  'referenced-often': '{count} {noun} verweisen darauf (als „{role}“)',
  'too-many-saved-filters': 'Es kann höchstens {max} Filter geben; löschen Sie zuerst einen',
  'filter-not-executable': 'Der Filter lässt sich nicht ausführen: {fault}',
  'shared-with-everyone': 'nur Administratoren teilen mit allen',
  'foreign-groups': 'müssen eigene Gruppen sein; Sie gehören nicht zu {uris}',
  'bad-moment': 'möglich sind @now, @now+7d oder @now-12h',
  'moment-in-view': 'Ansichten können nicht mit @now vergleichen',
  'too-slow-to-count': 'lässt sich nicht schnell genug zählen',
  'too-many-files': 'Eine Aufgabe kann höchstens {max} Dateien haben',
  'files-too-large': 'Die Dateien einer Aufgabe dürfen zusammen höchstens {max} MiB haben',
  'file-of-another': 'Nur wer eine Datei hinzugefügt hat, löscht sie, oder ein Administrator',
  'bad-file-name':
    'muss ein Dateiname sein: höchstens {max} Zeichen, keine Schrägstriche, Steuerzeichen oder unsichtbaren Zeichen',
  'too-many-uploads': 'Zu viele Anfragen: Eine Person kann {max} Dateien gleichzeitig senden',
  'too-many-pushes': 'Zu viele Anfragen: Ein Konto kann {max} Datenströme gleichzeitig senden',
  'too-many-downloads':
    'Zu viele Anfragen: Eine Person kann {max} Dateien gleichzeitig herunterladen',
  'not-a-bearer-token':
    'muss beim Verfahren bearer aus sichtbaren ASCII-Zeichen ohne Leerzeichen bestehen',
  'colon-in-user': 'darf beim Verfahren basic keinen Doppelpunkt enthalten',
  'too-many-favourites': 'Es kann höchstens {max} Favoriten geben; entfernen Sie zuerst einen',
  conflicting: 'Der Eintrag widerspricht einem anderen',
  'broken-reference':
    'Der Eintrag verweist auf einen, den es nicht gibt, oder ein anderer verweist noch auf ihn',
  'sysadmin-deleted': 'Der Systemadministrator lässt sich nicht löschen',
  'sysadmin-protected':
    'Der Systemadministrator lässt sich nicht umbenennen, deaktivieren oder seiner Rolle entheben',
  stale: 'Der Eintrag wurde geändert, seit Sie ihn geöffnet haben',

  // Access
  'bad-credentials': 'Die Anmeldung ist falsch oder ungültig',
  'not-logged-in': 'Sie sind nicht angemeldet',
  forbidden: 'Sie haben hierauf keinen Zugriff',
  'missing-permission': 'Sie haben keinen Zugriff: Es fehlt die Berechtigung {permission}',
  'more-rights': 'Dieses Konto darf mehr als Sie: {permissions}',
  'more-than-own': 'Sie können nicht vergeben, was Sie selbst nicht dürfen: {permissions}',
  'unknown-permission': 'ist keine Berechtigung: {permission}',
  'second-scope': 'ist neben {other} nicht möglich: Eine Rolle gilt überall oder an einer Stelle',
  'role-assigned': 'Der Benutzer hat diese Rolle dort schon',
  'shipped-role': 'Die Rolle gehört zum Server, nur er ändert sie; legen Sie eine eigene an',
  'attributes-forbidden': 'Das dürfen Sie nicht ändern: {attributes}',
  'other-account': 'Dieses Konto darf nur der Systemadministrator ändern',
  'address-not-allowed': 'Ihre Adresse hat keinen Zugang',
  'recent-sign-in-required':
    'Dafür müssen Sie sich in den letzten {minutes} Minuten angemeldet oder Ihr Passwort bestätigt haben',
  'sign-in-without-key-required':
    'Dafür müssen Sie sich in den letzten {minutes} Minuten mit Passwort oder über den Identitätsanbieter angemeldet haben',

  // Limits and faults
  'not-found': 'Nicht gefunden',
  'too-many-requests': 'Zu viele Anfragen',
  'too-many-tokens': 'Zu viele Sitzungen: Ein Konto darf {max} haben; beenden Sie zuerst eine',
  'too-many-writes':
    'Zu viele Änderungen: Ein Konto darf {max} auf einmal machen und ebenso viele in jeder weiteren Minute',
  'too-many-streams': 'Zu viele Verbindungen: Eine Person darf {max} für ihre Zähler haben',
  'page-too-large': 'die Einträge sind größer als {size} MiB; die ersten {fitting} passen',
  'too-slow': 'Die Anfrage kam zu langsam an',
  unavailable: 'Der Server ist vorübergehend nicht verfügbar',
  'internal-error': 'Der Server hat einen Fehler gemacht',
  invalid: 'Ungültig: {attributes}',

  // Endpoints
  'colon-in-reference':
    'darf keinen Doppelpunkt enthalten: Er beendet in Pfaden den Namen einer Quelle',
  'numeric-reference': 'darf keine Zahl sein: Pfade nehmen eine ID oder eine Referenz',
  'not-a-web-address': 'muss eine Adresse mit http oder https sein',
  'has-userinfo': 'darf weder Benutzernamen noch Passwort enthalten',
  'has-fragment': 'darf kein Fragment (#) enthalten',
  'plain-http-destination':
    'unverschlüsseltes http geht nur an Netze, die der Serverparameter deliveries.destinations nennt',
  'destination-not-allowed':
    'führt zu {host}, was der Serverparameter deliveries.destinations nicht erlaubt',
  'unknown-kind': 'unbekannte Art {kinds}; bekannt sind: {known}',
  'bad-destinations':
    'muss aus Hostnamen, *.Namen oder CIDR-Netzen bestehen; unlesbar: {unreadable}',
  'secret-of-pull': 'Nur ein Endpunkt der Art „Zustellung“ hat Geheimnisse',
  'too-many-secrets': 'Ein Endpunkt kann höchstens {max} gültige Geheimnisse haben',
  'no-secrets-key':
    'Dieser Server hat keinen SECRETS_KEY, mit dem er das Geheimnis verschlüsseln würde',
  'required-by-mode': 'ist für einen Endpunkt der Art „{mode}“ erforderlich',
  'excluded-by-mode': 'darf für einen Endpunkt der Art „{mode}“ nicht angegeben sein',
  'confirming-needs-kind': 'muss {kind} enthalten, wenn der Endpunkt Entscheidungen bestätigt',
};

/** The code of a reason with translations. */
export type Code = keyof typeof de;

/** The nouns for resources and attributes in messages. */
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
  startDate: 'Beginn',
  push: 'Zustellung',
  pull: 'Abholung',
};
