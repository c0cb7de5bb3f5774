{{- /* What the pods of the servers and of the migration have in common. */}}
{{- define "labels" -}}
app.kubernetes.io/name: {{ .Release.Name }}
{{- end }}

{{- define "pod" -}}
automountServiceAccountToken: false
{{- /* A release that is called http would otherwise set HTTP_PORT. */}}
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: tmp
    emptyDir: {}
  {{- with .Values.databaseCaSecret }}
  - name: database-ca
    secret:
      secretName: {{ . }}
  {{- end }}
{{- end }}

{{- define "container" -}}
image: '{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}'
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: ['ALL']
resources:
  {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  {{- if .Values.databaseCaSecret }}
  - name: database-ca
    mountPath: /etc/database-ca
    readOnly: true
  {{- end }}
{{- end }}

{{- /* Brings the schema up to date: under a lock, as the owner of the tables, whom no server knows. */}}
{{- define "migrate" -}}
name: migrate
{{ include "container" . }}
command: ['node', 'dist/src/cli.js', 'migrate', 'run']
{{- end }}

{{- define "migrate-environment" -}}
- name: RUNTIME_ROLE
  value: {{ .Values.runtimeRole }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.existingSecret }}
      key: owner-database-url
- name: SYSADMIN_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .Values.existingSecret }}
      key: sysadmin-password
{{- end }}

{{- /* The variables that are no secret. */}}
{{- define "environment" -}}
DRAIN_SECONDS: {{ .Values.drainSeconds | quote }}
METRICS_PORT: '9400'
METRICS_HOST: 0.0.0.0
{{- if .Values.databaseCaSecret }}
DATABASE_CA_FILE: /etc/database-ca/ca.crt
{{- end }}
{{- range $name, $value := .Values.environment }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}
