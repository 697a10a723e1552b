{{- define "lockstep.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "lockstep.selector" -}}
app.kubernetes.io/name: lockstep
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "lockstep.labels" -}}
{{ include "lockstep.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- /* root; build: a row of worker.versioning.builds, or empty */ -}}
{{- define "lockstep.image" -}}
{{- $image := .root.Values.image -}}
{{- $digest := .build.digest | default $image.digest -}}
{{- if and .build.tag (not .build.digest) }}{{ $digest = "" }}{{ end -}}
{{- if $digest -}}
{{ $image.repository }}@{{ $digest }}
{{- else -}}
{{ $image.repository }}:{{ .build.tag | default $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "lockstep.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "lockstep.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
{{- end }}

{{- /* root, component: each process signs in to PostgreSQL as its own user, or as the migration's where it has none */ -}}
{{- define "lockstep.ledgerVariables" -}}
{{- $keys := .root.Values.database.keys -}}
- name: DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ .root.Values.database.secret }}, key: {{ index $keys .component | default $keys.migration }} } }
- name: LOCKSTEP_SEALING_KEY
  value: file:/run/lockstep/sealing/{{ .root.Values.sealingKey.key }}
- name: LOCKSTEP_LOG_LEVEL
  value: {{ .root.Values.log.level }}
- name: LOCKSTEP_LOG_FORMAT
  value: json
{{- end }}

{{- /* root, component */ -}}
{{- define "lockstep.variables" -}}
{{ include "lockstep.ledgerVariables" . }}
{{- with .root }}
- name: LOCKSTEP_OPS_HOST
  value: 0.0.0.0
- name: LOCKSTEP_SECRETS
  value: /run/lockstep/secrets
- name: LOCKSTEP_PRIVATE_ADDRESSES
  value: {{ ternary "allow" "refuse" .Values.tenants.privateAddresses }}
{{- with .Values.tenants.names }}
- name: LOCKSTEP_TENANT_ENV
  value: {{ . | quote }}
{{- end }}
{{- if .Values.tenants.configMap }}
- name: LOCKSTEP_TENANTS
  value: /etc/lockstep/tenants
{{- end }}
{{- if .Values.traces.endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ .Values.traces.endpoint | quote }}
- name: OTEL_TRACES_SAMPLER
  value: parentbased_traceidratio
- name: OTEL_TRACES_SAMPLER_ARG
  value: {{ .Values.traces.share | quote }}
{{- end }}
- name: TEMPORAL_ADDRESS
  value: {{ .Values.temporal.address }}
- name: TEMPORAL_NAMESPACE
  value: {{ .Values.temporal.namespace }}
{{- with .Values.temporal.apiKey }}
{{- if .secret }}
- name: TEMPORAL_API_KEY
  valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key }} } }
{{- end }}
{{- end }}
{{- if .Values.temporal.clientCertificate.secret }}
- name: TEMPORAL_TLS_CLIENT_CERT_PATH
  value: /run/lockstep/temporal/tls.crt
- name: TEMPORAL_TLS_CLIENT_KEY_PATH
  value: /run/lockstep/temporal/tls.key
{{- end }}
{{- end }}
{{- end }}

{{- define "lockstep.variableSources" -}}
{{- with .Values.tenants.secretVariables }}
envFrom:
  {{- range . }}
  - secretRef: { name: {{ . }} }
  {{- end }}
{{- end }}
{{- end }}

{{- /* A file that others than the group may not read: 0440. */ -}}
{{- define "lockstep.ledgerMounts" -}}
- { name: sealing, mountPath: /run/lockstep/sealing, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "lockstep.ledgerVolumes" -}}
- name: sealing
  secret: { secretName: {{ .Values.sealingKey.secret }}, defaultMode: 0440 }
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- end }}

{{- define "lockstep.mounts" -}}
{{ include "lockstep.ledgerMounts" . }}
{{- if .Values.tenants.configMap }}
- { name: tenants, mountPath: /etc/lockstep/tenants, readOnly: true }
{{- end }}
{{- range $tenant, $secret := .Values.tenants.secretFiles }}
- { name: {{ printf "files-%s" $tenant | trunc 63 | trimSuffix "-" }}, mountPath: /run/lockstep/secrets/{{ $tenant }}, readOnly: true }
{{- end }}
{{- if .Values.temporal.clientCertificate.secret }}
- { name: temporal, mountPath: /run/lockstep/temporal, readOnly: true }
{{- end }}
{{- end }}

{{- /* The notices file, for a process that notifies operators or tests a channel. */ -}}
{{- define "lockstep.noticesVariable" -}}
{{- if .Values.notices.configMap }}
- name: LOCKSTEP_NOTICES
  value: /etc/lockstep/notices/notices.yaml
{{- end }}
{{- end }}

{{- define "lockstep.noticesMount" -}}
{{- if .Values.notices.configMap }}
- { name: notices, mountPath: /etc/lockstep/notices, readOnly: true }
{{- end }}
{{- end }}

{{- define "lockstep.noticesVolume" -}}
{{- if .Values.notices.configMap }}
- name: notices
  projected:
    # The notices file, and the files of secrets that it names.
    defaultMode: 0440
    sources:
      - configMap: { name: {{ .Values.notices.configMap }} }
      {{- with .Values.notices.secret }}
      - secret: { name: {{ . }} }
      {{- end }}
{{- end }}
{{- end }}

{{- define "lockstep.volumes" -}}
{{ include "lockstep.ledgerVolumes" . }}
{{- with .Values.tenants.configMap }}
- name: tenants
  configMap: { name: {{ . }} }
{{- end }}
{{- range $tenant, $secret := .Values.tenants.secretFiles }}
- name: {{ printf "files-%s" $tenant | trunc 63 | trimSuffix "-" }}
  secret: { secretName: {{ $secret }}, defaultMode: 0440 }
{{- end }}
{{- with .Values.temporal.clientCertificate.secret }}
- name: temporal
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end }}
{{- end }}

{{- /* root, component: two of one kind rather not on one node */ -}}
{{- define "lockstep.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "lockstep.selector" . | nindent 8 }}
{{- end }}
