import type { Template } from './de.js';

/** The server's messages to people, in French: a sentence follows a colon, and so begins in lower case. */
export const fr: Record<Template, string> = {
  // Values of fields
  'is required': 'est obligatoire',
  'must not be blank': 'ne doit pas être vide',
  'must not be empty': 'ne doit pas être vide',
  'is empty': 'est vide',
  'must be a string': 'doit être un texte',
  'must be a number': 'doit être un nombre',
  'must be a text, a number or a boolean': 'doit être un texte, un nombre ou un booléen',
  'must be a string of at most {max} characters': 'doit avoir au plus {max} caractères',
  'at most {max} characters': '{max} caractères au plus',
  'must be true or false': 'doit être true ou false',
  'must be a whole number': 'doit être un nombre entier',
  'must be a whole number from {least} to {most}': 'doit être un nombre entier de {least} à {most}',
  'must be {choices}': 'doit être {choices}',
  'must be one of: {values}': 'doit être une de ces valeurs : {values}',
  'must be an e-mail address': 'doit être une adresse e-mail',
  'must not hold blanks or invisible characters':
    'ne doit contenir ni espaces ni caractères invisibles',
  'must not hold invisible characters': 'ne doit pas contenir de caractères invisibles',
  'must not contain /': 'ne doit pas contenir de /',
  'must not be {word}, which means something else in paths':
    'ne doit pas être {word}, qui a un autre sens dans les chemins',
  'must be a timestamp such as {one} or with an offset such as {other}':
    'doit être un instant comme {one}, ou avec un décalage comme {other}',
  'must lie in the years {least} to {most} (UTC)':
    'doit être dans les années {least} à {most} (UTC)',
  'must be in the future': 'doit être dans le futur',
  'must be a path that begins with one slash, or an http or https address':
    'doit être un chemin qui commence par une barre oblique, ou une adresse http ou https',
  'must be an array of at most {max} {noun}': 'doit avoir au plus {max} {noun}',
  'must be an id, a positive whole number': 'doit être un identifiant, un nombre entier positif',
  'must be an id or a URI such as {uris}': 'doit être un identifiant ou une URI comme {uris}',
  'there is no {uri}': '{uri} n’existe pas',
  "there is no {noun} '{name}'": '« {name} » ({noun}) n’existe pas',
  "'{name}' is a {noun} and a {other}: give the URI":
    '« {name} » est le nom de deux éléments ({noun}, {other}) : indiquez l’URI',
  "'{name}' is a {noun} and an {other}: give the URI":
    '« {name} » est le nom de deux éléments ({noun}, {other}) : indiquez l’URI',
  "'{id}' is an id, and also a name: give the URI, {ways}":
    '« {id} » est à la fois un identifiant et un nom : indiquez l’URI, {ways}',
  'there is no object with the id {id}': 'aucun élément n’a l’identifiant {id}',
  'must have at most {max} applications': 'doit avoir au plus {max} applications',
  'must not name {uri} twice': 'ne doit pas nommer {uri} deux fois',
  'the character NUL is not allowed': 'le caractère NUL n’est pas admis',
  'a lone surrogate is not allowed': 'un demi-caractère (surrogate) n’est pas admis',
  'holds a value that cannot be stored or compared':
    'contient une valeur impossible à enregistrer ou à comparer',
  "in '{language}': {field} {message}": '{language}, {field} : {message}',
  'would put the organization below itself': 'placerait l’organisation sous elle-même',
  'must be a view of this application': 'doit être une vue de cette application',
  'must stay {uri}, whose tile opens this view': 'doit rester {uri}, dont la tuile ouvre cette vue',

  '[{index}] {message}': 'élément {index} : {message}',

  // Filters and orders of views
  'unknown attribute {names}; known: {known}': 'attribut inconnu {names} ; connus : {known}',
  "'{name}' must be <attribute>:<operator>:<value>":
    '« {name} » doit avoir la forme <attribut>:<opérateur>:<valeur>',
  "unknown attribute '{name}'; filterable: {known}":
    'attribut inconnu « {name} » ; filtres possibles : {known}',
  "'{name}' does not accept the operator '{operator}'; allowed: {operators}":
    '« {name} » n’admet pas l’opérateur « {operator} » ; admis : {operators}',
  '{filter}: use assignee with @me, group with @mygroups':
    '{filter} : @me va avec assignee, @mygroups avec group',
  '{attribute}:{operator}: {message}': '{attribute}:{operator} : {message}',
  '{attribute}:{operator}:{value}: {message}': '{attribute}:{operator}:{value} : {message}',
  'takes no value': 'ne prend pas de valeur',
  'the list takes too long with {filters}; add a filter that few items match, such as eq or starts':
    'la liste prend trop de temps avec {filters} ; ajoutez un filtre auquel peu d’éléments répondent, par exemple eq ou starts',
  'the list takes too long sorted by {names}; add a filter that few items match, such as eq or starts':
    'la liste prend trop de temps triée par {names} ; ajoutez un filtre auquel peu d’éléments répondent, par exemple eq ou starts',
  'needs a value': 'demande une valeur',
  'needs a value; to find empty values use {filter}':
    'demande une valeur ; {filter} trouve les valeurs vides',
  'cannot be filtered by': 'ne peut pas servir de filtre',
  'at most {max} filters': '{max} filtres au plus',
  'must name an attribute; sortable: {known}': 'doit nommer un attribut ; tris possibles : {known}',
  'cannot sort by {names}; sortable: {known}':
    'impossible de trier par {names} ; tris possibles : {known}',
  "'{name}' is given twice": '« {name} » apparaît deux fois',
  'at most {max} attributes': '{max} attributs au plus',
  'The view cannot be executed: {message}': 'la vue ne peut pas être exécutée : {message}',

  // Passwords, keys, invitations
  'is not the current password': 'n’est pas le mot de passe actuel',
  'The password does not meet the password rules': 'le mot de passe ne respecte pas les règles',
  'Another request has just changed the password': 'le mot de passe vient d’être modifié ailleurs',
  'Passwords are switched off (security.Password.signIn): people sign in at the identity provider':
    'les mots de passe sont désactivés (security.Password.signIn) : la connexion passe par le fournisseur d’identité',
  'Change your own password with {call}': 'votre propre mot de passe se modifie avec {call}',
  'is unknown, used or expired': 'est inconnu, utilisé ou expiré',
  'Only an active or invited user can get an invitation':
    'seule une personne active ou invitée peut recevoir une invitation',
  'This server sends no mails: SMTP_URL is not set':
    'ce serveur n’envoie pas de messages : SMTP_URL n’est pas défini',
  'A user can have at most {max} API keys': 'une personne peut avoir au plus {max} clés d’API',
  'must be IPv4 or IPv6 addresses or CIDR networks; unreadable: {addresses}':
    'doit contenir des adresses IPv4 ou IPv6 ou des réseaux CIDR ; illisible : {addresses}',
  'must hold at least one address; null means no limit':
    'doit contenir au moins une adresse ; sans valeur, il n’y a pas de limite',
  'must be an IPv4 or IPv6 address': 'doit être une adresse IPv4 ou IPv6',

  // Pictures
  'The body is not a JPEG, PNG or WebP image': 'ce n’est pas une image JPEG, PNG ou WebP',
  'not a picture that can be decoded': 'ce n’est pas une image lisible',
  'takes more than {seconds} seconds to decode': 'demande plus de {seconds} secondes de décodage',
  '{width} x {height} pixels; at most {max} are allowed':
    '{width} × {height} pixels ; {max} au plus sont admis',
  '{scans} scans; at most {max} are allowed': '{scans} passes ; {max} au plus sont admises',
  'takes up to {needed} MiB to decode, at most {max} are allowed; send fewer pixels, 8 bits a sample, or a picture that is neither interlaced nor progressive':
    'demande jusqu’à {needed} Mio de décodage, {max} au plus sont admis ; prenez moins de pixels, 8 bits par canal, ou une image ni entrelacée ni progressive',
  'The body is too large; at most {limit}': 'c’est trop grand ; {limit} au plus',

  // Server parameters
  'must be a time of the day from 00:00 to 23:59': 'doit être une heure du jour de 00:00 à 23:59',
  'must be an IANA time zone such as {zone}': 'doit être un fuseau horaire IANA comme {zone}',
  'must be at most {max} visible characters': 'doit avoir au plus {max} caractères visibles',
  'must not begin or end with a blank': 'ne doit ni commencer ni finir par une espace',
  'must be a colour such as {color}': 'doit être une couleur comme {color}',
  'has a contrast of {contrast}:1 to the background {background}; text needs at least {least}:1 (WCAG 2.2 AA)':
    'a un contraste de {contrast}:1 avec le fond {background} ; un texte demande au moins {least}:1 (WCAG 2.2 AA)',
  'must be a data URL of a PNG, JPEG or WebP picture':
    'doit être une URL de données d’une image PNG, JPEG ou WebP',
  'is a picture of {size} bytes; at most {max} are allowed':
    'est une image de {size} octets ; {max} au plus sont admis',
  'No identity provider is configured (OIDC_ISSUER), so nobody but sysadmin could sign in; send ?force=true to set it anyway':
    'aucun fournisseur d’identité n’est configuré (OIDC_ISSUER), et personne sauf sysadmin ne pourrait se connecter',
  'The list does not allow your own address {address}, which would lock you out; send ?force=true to set it anyway':
    'la liste n’admet pas votre propre adresse {address}, ce qui vous priverait d’accès',

  // Conflicts
  'The task has been cancelled': 'La tâche a été annulée',
  'The task has been cancelled: {reason}': 'La tâche a été annulée : {reason}',
  'needs the status done': 'n’est possible qu’avec le statut « terminée »',
  'must be left out: the task has no outcomes':
    'doit être absent : la tâche n’a pas d’issues au choix',
  'Only administrators change the source of a task':
    'Seuls les administrateurs changent la source d’une tâche',
  'The application of this task is not one of its source':
    'L’application de cette tâche n’est pas une de celles de sa source',
  'Only the service account of its source may write this task':
    'Seul le compte de service de sa source peut écrire cette tâche',
  'Only administrators delete tasks of a source':
    'Seuls les administrateurs suppriment les tâches d’une source',
  'must have at most {max} KiB as JSON': 'doit avoir au plus {max} Kio en JSON',
  'must be nested at most {max} levels deep': 'doit avoir au plus {max} niveaux d’imbrication',
  'The task is not open any more': 'La tâche n’est plus ouverte',
  'Only administrators write the absences of other people':
    'Seuls les administrateurs écrivent les absences des autres personnes',
  'Another absence of this person overlaps this one: {reference}':
    'Une autre absence de cette personne chevauche celle-ci : {reference}',
  'A person can have at most {count} absences that have not ended':
    'Une personne peut avoir au plus {count} absences qui ne sont pas terminées',
  'People would stand in for each other in a circle: {reference}':
    'Les personnes se remplaceraient mutuellement en cercle : {reference}',
  'must be another person': 'doit être une autre personne',
  'must be an active user': 'doit être un utilisateur actif',
  'must be later than from': 'doit être postérieur à « from »',
  'must be later than startDate': 'doit être après le début',
  'must be at most {days} days after startDate':
    'doit être au plus tard {days} jours après le début',
  '{name} has taken the task': '{name} a pris la tâche',
  'The task waits neither for you nor for a group of yours':
    'La tâche n’est destinée ni à vous ni à l’un de vos groupes',
  '{name} has closed the task': '{name} a clôturé la tâche',
  'The engine had already completed the task': 'Le moteur avait déjà terminé la tâche',
  'The engine had completed the task before the decision was taken back':
    'Le moteur avait terminé la tâche avant que la décision ne soit annulée',
  'The engine has confirmed the decision': 'Le moteur a confirmé la décision',
  'The decision waits for the engine: open the task again to change it':
    'La décision attend le moteur : rouvrez la tâche pour la modifier',
  'must contain task.decided where the endpoint confirms decisions':
    'doit contenir task.decided si le point de terminaison confirme les décisions',
  'is required for an endpoint with an adapter':
    'est obligatoire pour un point de terminaison avec adaptateur',
  'must be left out for an endpoint without an adapter':
    'doit être absent d’un point de terminaison sans adaptateur',
  'must be left out: an adapter sends decisions alone':
    'doit être absent : un adaptateur n’envoie que des décisions',
  'must have no query for an endpoint with an adapter':
    'ne doit pas contenir de requête (?) pour un point de terminaison avec adaptateur',
  'unknown variable {names}; known: {known}, or name=outcome for another name':
    'variable inconnue {names} ; connues : {known}, ou name=outcome pour un autre nom',
  'must not have the same name twice': 'ne doit pas contenir deux fois le même nom',
  'is required with the scheme {scheme}': 'est obligatoire avec la méthode {scheme}',
  'must be left out with the scheme {scheme}': 'doit être absent avec la méthode {scheme}',
  'An endpoint with an adapter has credentials instead of secrets':
    'Un point de terminaison avec adaptateur a des identifiants et non des secrets',
  'Only an endpoint with an adapter has credentials':
    'Seul un point de terminaison avec adaptateur a des identifiants',
  'The endpoint has no secret with which it would sign: make one':
    'Le point de terminaison n’a pas de secret pour signer : créez-en un',
  'The SECRETS_KEY of this server does not open the secret of the endpoint: renew it':
    'La SECRETS_KEY de ce serveur n’ouvre pas le secret du point de terminaison : renouvelez-le',
  'The endpoint has no credentials with which it would sign in: set them':
    'Le point de terminaison n’a pas d’identifiants pour se connecter : définissez-les',
  'Only the assignee gives a task back':
    'Seule la personne à qui la tâche est attribuée peut la rendre',
  'Only a task of a group or of candidates can be given back':
    'Seule une tâche de groupe ou de candidats peut être rendue',
  'The {attribute} is taken': 'la valeur de « {attribute} » est déjà prise',
  '{count} {noun} refers to it (as {role})': '{count} {noun} y fait référence (« {role} »)',
  '{count} {noun} refer to it (as {role})': '{count} {noun} y font référence (« {role} »)',
  'There can be at most {max} filters; delete one first':
    'il peut y avoir au plus {max} filtres ; supprimez-en d’abord un',
  'A person can share at most {max} filters; stop sharing one first':
    'une personne peut partager au plus {max} filtres ; cessez d’abord d’en partager un',
  'a shared filter can have at most {max} conditions on linked objects or inside texts':
    'un filtre partagé peut avoir au plus {max} conditions sur des objets liés ou à l’intérieur de textes',
  'The filter cannot be executed: {message}': 'le filtre ne peut pas être exécuté : {message}',
  'only administrators share with everyone':
    'seuls les administrateurs partagent avec tout le monde',
  'must be groups of yours; you are no member of {uris}':
    'doivent être vos groupes ; vous n’êtes pas membre de {uris}',
  '{filter}: use @now, @now+7d or @now-12h': '{filter} : utilisez @now, @now+7d ou @now-12h',
  '{filter}: views cannot compare with @now':
    '{filter} : les vues ne peuvent pas comparer avec @now',
  'takes too long to count': 'est trop long à compter',
  'A task can have at most {max} files': 'une tâche peut avoir au plus {max} fichiers',
  'The files of a task can have at most {max} MiB together':
    'les fichiers d’une tâche peuvent avoir au plus {max} Mio ensemble',
  'A person can send at most {max} MiB of files in a day':
    'une personne peut envoyer au plus {max} Mio de fichiers par jour',
  'The files of all tasks can have at most {max} MiB together':
    'les fichiers de toutes les tâches peuvent avoir au plus {max} Mio ensemble',
  'Only the person who added a file deletes it, or an administrator':
    'seule la personne qui a ajouté un fichier le supprime, ou un administrateur',
  'must be the name of a file: at most {max} characters, no slashes, control or invisible characters':
    'doit être un nom de fichier : au plus {max} caractères, sans barre oblique ni caractère de contrôle ou invisible',
  'Too many requests: a person may send {max} files at once':
    'trop de requêtes : une personne peut envoyer {max} fichiers à la fois',
  'Too many requests: an account may push {max} streams at once':
    'trop de requêtes : un compte peut envoyer {max} flux à la fois',
  'Too many requests: a person may read {max} files at once':
    'trop de requêtes : une personne peut télécharger {max} fichiers à la fois',
  'must be visible ASCII characters without blanks with the scheme bearer':
    'doit se composer de caractères ASCII visibles, sans espace, avec la méthode bearer',
  'must not contain a colon with the scheme basic':
    'ne doit pas contenir de deux-points avec la méthode basic',
  'There can be at most {max} favourites; remove one first':
    'il peut y avoir au plus {max} favoris ; retirez-en d’abord un',
  'The resource conflicts with an existing one': 'l’élément est en conflit avec un autre',
  'The resource refers to one that does not exist, or another still refers to it':
    'l’élément fait référence à un autre qui n’existe pas, ou un autre y fait encore référence',
  'The system administrator cannot be deleted':
    'l’administrateur système ne peut pas être supprimé',
  'The system administrator cannot be renamed, deactivated or stripped of its role':
    'l’administrateur système ne peut être ni renommé, ni désactivé, ni privé de son rôle',
  'The resource has changed since you read it: If-Match does not name its current ETag':
    'l’élément a changé depuis que vous l’avez ouvert',

  // Access
  'Bad or invalid authentication': 'l’authentification est fausse ou invalide',
  'You are not logged in: the token is missing, invalid or expired': 'vous n’êtes pas connecté',
  'You have no access to this endpoint or resource': 'vous n’y avez pas accès',
  'You may not change: {attributes}': 'vous ne pouvez pas modifier : {attributes}',
  'Only the system administrator may change this account':
    'seul l’administrateur système peut modifier ce compte',
  'The calling address is not authorized': 'votre adresse n’est pas admise',
  'Confirm your password first (POST /api/v2/authentication/confirmation), or sign in again: this call requires a sign-in or confirmation in the last {minutes} minutes, and a sign-in by API key does not count':
    'il faut une connexion ou une confirmation du mot de passe dans les {minutes} dernières minutes',
  'Sign in by password or identity provider: this call requires such a sign-in in the last {minutes} minutes, and the token of an API key does not count':
    'il faut une connexion par mot de passe ou par fournisseur d’identité dans les {minutes} dernières minutes',

  // Limits and faults
  'Not found': 'introuvable',
  'Too many requests': 'trop de requêtes',
  'Too many requests: an account may hold {max} tokens; end a session first':
    'trop de sessions : un compte peut en avoir {max} ; terminez-en une d’abord',
  'Too many requests: an account may write {max} times at once, and as many times in each further minute':
    'trop de modifications : un compte peut en faire {max} d’un coup, puis autant par minute',
  'Too many requests: a person may have {max} streams of counters':
    'trop de connexions : une personne peut en avoir {max} pour ses compteurs',
  'the items exceed {size} MiB; request fewer: the first {count} fit':
    'les éléments dépassent {size} Mio ; les {count} premiers tiennent',
  'The request took too long to arrive': 'la requête a mis trop de temps à arriver',
  'The service is temporarily unavailable': 'le service est momentanément indisponible',
  'Internal server error': 'erreur interne du serveur',
  'Invalid: {attributes}': 'invalide : {attributes}',

  // Endpoints
  'is required for an endpoint of the mode push':
    'est requis pour un point de terminaison de type « envoi »',
  'must be left out for an endpoint of the mode pull':
    'doit être absent pour un point de terminaison de type « retrait »',
  'must not contain a colon: it ends the name of a source in paths':
    'ne doit pas contenir de deux-points : ils terminent le nom d’une source dans les chemins',
  'must not be a number: paths take an id or a reference':
    'ne doit pas être un nombre : les chemins prennent un identifiant ou une référence',
  'must be an http or https address': 'doit être une adresse http ou https',
  'must not hold a user name or a password':
    'ne doit contenir ni nom d’utilisateur ni mot de passe',
  'must not hold a fragment': 'ne doit pas contenir de fragment (#)',
  'plain http goes only to networks that the server parameter deliveries.destinations lists':
    'http non chiffré ne va qu’aux réseaux que cite le paramètre du serveur deliveries.destinations',
  'leads to {host}, which the server parameter deliveries.destinations does not allow':
    'mène à {host}, ce que le paramètre du serveur deliveries.destinations n’autorise pas',
  'unknown kind {kinds}; known: {known}': 'type inconnu {kinds} ; connus : {known}',
  'must be host names, *.names or CIDR networks; unreadable: {texts}':
    'doit contenir des noms d’hôte, des *.noms ou des réseaux CIDR ; illisibles : {texts}',
  'Only an endpoint of the mode push has secrets':
    'Seul un point de terminaison de type « envoi » a des secrets',
  'An endpoint can have at most {max} valid secrets':
    'Un point de terminaison peut avoir au plus {max} secrets valides',
  'This server has no SECRETS_KEY, with which it would encrypt the secret':
    'Ce serveur n’a pas de SECRETS_KEY pour chiffrer le secret',
};

/** The words that stand in messages for resources and for attributes. */
export const frWords: Record<string, string> = {
  filter: 'filtre',
  filters: 'filtres',
  'attribute names': 'attributs',
  'kinds of events': 'types d’événements',
  variables: 'variables',
  user: 'personne',
  users: 'personnes',
  organization: 'organisation',
  organizations: 'organisations',
  group: 'groupe',
  groups: 'groupes',
  category: 'catégorie',
  application: 'application',
  applications: 'applications',
  source: 'source',
  sources: 'sources',
  endpoint: 'point de terminaison',
  endpoints: 'points de terminaison',
  'user or group': 'personne ou groupe',
  view: 'vue',
  views: 'vues',
  task: 'tâche',
  tasks: 'tâches',
  document: 'document',
  documents: 'documents',
  'news item': 'actualité',
  'news items': 'actualités',
  'frequently asked question': 'question',
  faq: 'question',
  faqs: 'questions',
  customer: 'client',
  customers: 'clients',
  manager: 'responsable',
  parent: 'parent',
  assignee: 'attribuée à',
  audience: 'public visé',
  account: 'compte',
  'service account': 'compte de service',
  'fallback group': 'groupe pour les inconnus',
  author: 'auteur',
  title: 'titre',
  label: 'libellé',
  keywords: 'mots-clés',
  login: 'identifiant',
  reference: 'référence',
  email: 'adresse e-mail',
  'external id': 'identifiant externe',
  externalId: 'identifiant externe',
};
