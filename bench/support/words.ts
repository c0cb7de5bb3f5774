/** Words in the names of people and documents of a benchmark; earlier words are more frequent. */

const words = (text: string): string[] => text.trim().split(/\s+/);

export const FIRST_NAMES = words(`
  Maria Anna Thomas Michael Marie Martin Julia Laura Peter Sophie Andreas Daniel Sarah Nicolas Emma
  Stefan Christian Claire Camille Pierre Julien Paul David Sandra Katharina Alexander Hélène Jürgen
  Céline François Jörg Björn Günther Zoë Søren Łukasz Øyvind Ayşe İbrahim Élodie Chloé Léa Noémie
  Raphaël Sébastien Thérèse Ursula Valérie Véronique Walter Wolfgang Xavier Yannick Yasmine Zacharie
  Adèle Benoît Cédric Désirée Édouard Fabienne Gaëlle Gérard Irène Jean Joséphine Käthe Loïc Maëlle
  Mathilde Oskar Patrick Quentin Rainer Renée Rosalind Sigrid Théo Tobias Ulrich Viktor Wilhelm
  Henrik Ingrid Jakub Karin Lars Magnus Nils Olga Piotr Rosa Sven Tereza Urs Vera Wanda Zdeněk`);

export const LAST_NAMES = words(`
  Müller Martin Schmidt Bernard Schneider Dubois Fischer Thomas Weber Robert Meyer Richard Wagner
  Petit Becker Durand Schulz Leroy Hoffmann Moreau Schäfer Simon Koch Laurent Bauer Lefèvre Richter
  Michel Klein Garcia Wolf David Schröder Bertrand Neumann Roux Schwarz Vincent Zimmermann Fournier
  Braun Morel Krüger Girard Hofmann André Hartmann Mercier Lange Dupont Schmitt Lambert Werner Bonnet
  Krause François Meier Martinez Lehmann Legrand Köhler Garnier Herrmann Faure König Rousseau Walter
  Blanc Mayer Guérin Huber Müllner Kaiser Boyer Fuchs Roche Peters Roy Lang Noël Scholz Möller
  Weiß Lucas Jung Perrin Hahn Morin Vogel Mathieu Friedrich Clément Keller Gauthier Günther Dumont
  Frank Lopez Berger Fontaine Winkler Chevalier Roth Robin Beck Masson Lorenz Sanchez Baumann Gérard
  Franke Nguyen Albrecht Boyer Schuster Denis Böhm Lemaire Winter Duval Kraus Joly Schumacher Gautier
  Krämer Roger Vogt Renard Stein Picard Jäger Colin Otto Vidal Groß Aubert Sommer Leclerc Seidel
  Søndergård Kowalski Novák Yılmaz Øster Þórsson Œuvrard Strauß Żak Ibáñez O'Brien McKenzie Åkesson`);

export const FUNCTIONS = [
  'Consultant',
  'Project manager',
  'Sales representative',
  'Software engineer',
  'Assistante de direction',
  'Sachbearbeiter Einkauf',
  'Accountant',
  'Responsable recrutement',
  'Techniker Instandhaltung',
  'Customer service agent',
  'Chef de projet',
  'Leiter Qualitätssicherung',
  'Data analyst',
  'Juriste',
  'Head of procurement',
  'Werkstudent',
];

export const DOCUMENT_KINDS = words(`
  Contract Invoice Report Guideline Form Policy Offer Minutes Procedure Manual Rapport Vertrag
  Anleitung Procédure Formulaire Bericht Template Presentation Certificate Agreement Checklist
  Notice Plan Budget Übersicht Étude Zeugnis Werkvertrag Vollmacht Wartungsplan`);

export const SUBJECTS = words(`
  purchase travel security maintenance recruitment training finance payroll insurance logistics
  quality marketing privacy energy vehicle catering procurement innovation project warehouse
  Datenschutz Einkauf Reisekosten Sicherheit Schulung formation sécurité comptabilité achats voyage
  qualité énergie véhicule stratégie communication production customer supplier service building`);

/** Words of descriptions. */
export const PROSE = words(`
  the of and to in a for is with on by this that from are be as at or an it all new use work has
  must should please document employees company department approval request process form manager
  signed within days before after every year required information contact team office use only
  applies version replaces previous copy original archive print sent received date place number
  le la les des pour avec dans est une par sur aux votre demande validation service délai jours
  der die das und ist für mit von auf bei nach Antrag Genehmigung Abteilung Mitarbeiter Frist
  confidential internal external public draft final annual monthly quarterly regional central
  delivery payment discount warranty liability schedule milestone budget forecast audit review
  workshop seminar certificate licence equipment machine tool spare repair inspection safety
  hygiene protection helmet gloves alarm evacuation visitor badge access key parking canteen`);

export const CITIES = words(`
  Paris Berlin Lyon München Hamburg Köln Zürich Genève Bruxelles Wien Marseille Toulouse Frankfurt
  Stuttgart Leeds Dublin Århus Malmö Kraków Łódź Reykjavík Besançon Düsseldorf Saint-Étienne`);
