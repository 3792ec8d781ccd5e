{{/* The files that settings name, as JSON: the variable of each and its path in the container. */}}
{{- define "attestry.server.files" -}}
{{- $paths := dict -}}
{{- $isEmbedded := eq .Values.store "embedded" -}}
{{- range $key, $file := .Values.files -}}
{{- $variable := printf "ATTESTRY_%s" ($key | snakecase | upper) -}}
{{- if include "attestry.server.fileSource" (list $ $key $file) -}}
{{- $_ := set $paths $variable (printf "/etc/attestry/%s/%s" ($key | kebabcase) $file.key) -}}
{{- else if and $isEmbedded (eq $key "bootstrapKeyFile") -}}
{{- $_ := set $paths $variable "/var/lib/attestry/bootstrap-key" -}}
{{- end -}}
{{- end -}}
{{- if and (not $isEmbedded) .Values.logState.existingClaim -}}
{{- $_ := set $paths "ATTESTRY_LOG_STATE_FILE" "/var/lib/attestry-log/state.json" -}}
{{- end -}}
{{- toJson $paths -}}
{{- end -}}

{{/*
The source of a file as a volume source; empty for a file that is not mounted: (list $ key file). With the store
`postgres` the two keys are always mounted; the embedded store makes both in its data folder.
*/}}
{{- define "attestry.server.fileSource" -}}
{{- $root := index . 0 -}}
{{- $key := index . 1 -}}
{{- $file := index . 2 -}}
{{- $suffix := get (dict "bootstrapKeyFile" "bootstrap" "logKeyFile" "log") $key -}}
{{- if hasKey $file "existingConfigMap" -}}
{{- with $file.existingConfigMap -}}
configMap:
  name: {{ tpl . $root }}
{{- end -}}
{{- else if or $file.existingSecret (and $suffix (eq $root.Values.store "postgres")) -}}
secret:
  secretName: {{ include "attestry.secretName" (list $root $file $suffix) }}
{{- end -}}
{{- end -}}

{{/* The variables whose values are secrets. */}}
{{- define "attestry.server.env" -}}
{{- range $key, $secret := .Values.secrets -}}
{{- $isDatabase := eq $key "databaseUrl" -}}
{{- $isMounted := ternary (eq $.Values.store "postgres") (not (empty $secret.existingSecret)) $isDatabase -}}
{{- $isForJob := and (eq $key "migrationDatabaseUrl") $.Values.migrations.job.enabled -}}
{{- if and $isMounted (not $isForJob) }}
- name: ATTESTRY_{{ $key | snakecase | upper }}
  valueFrom:
    secretKeyRef:
      name: {{ include "attestry.secretName" (list $ $secret "database") }}
      key: {{ $secret.key }}
{{- end -}}
{{- end -}}
{{- with .Values.server.extraEnv }}
{{ toYaml . }}
{{- end -}}
{{- end -}}

{{/* The pods of the server, for a Deployment and for a StatefulSet. */}}
{{- define "attestry.server.podTemplate" -}}
{{- $server := .Values.server -}}
{{- $isEmbedded := eq .Values.store "embedded" -}}
metadata:
  labels:
    {{- include "attestry.labels" (list . "server") | nindent 4 }}
    {{- with $server.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    {{- /* Pods are replaced when settings change. */}}
    checksum/config: {{ include (print $.Template.BasePath "/configmap.yaml") . | sha256sum }}
    {{- if $server.metrics.podAnnotations }}
    prometheus.io/scrape: "true"
    prometheus.io/port: {{ int $server.port | quote }}
    prometheus.io/path: {{ include "attestry.metricsPath" . }}
    {{- end }}
    {{- with $server.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "attestry.serviceAccountName" (list . (include "attestry.fullname" .) $server.serviceAccount) }}
  automountServiceAccountToken: false
  # WHY: the links of a service `attestry` would set ATTESTRY_PORT, which is a setting of the server.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ int $server.terminationGracePeriodSeconds }}
  {{- with $server.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- toYaml $server.podSecurityContext | nindent 4 }}
  {{- with $server.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $server.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $server.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if $server.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml $server.topologySpreadConstraints | nindent 4 }}
  {{- else if not $isEmbedded }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "attestry.selectorLabels" (list . "server") | nindent 10 }}
  {{- end }}
  {{- with $server.initContainers }}
  initContainers:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: attestry
      image: {{ include "attestry.image" (list . $server.image) }}
      imagePullPolicy: {{ $server.image.pullPolicy }}
      envFrom:
        - configMapRef:
            name: {{ include "attestry.fullname" . }}
        {{- with $server.extraEnvFrom }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with include "attestry.server.env" . }}
      env:
        {{- trim . | nindent 8 }}
      {{- end }}
      ports:
        - name: http
          containerPort: {{ int $server.port }}
      startupProbe:
        {{- toYaml $server.startupProbe | nindent 8 }}
      livenessProbe:
        {{- toYaml $server.livenessProbe | nindent 8 }}
      readinessProbe:
        {{- toYaml $server.readinessProbe | nindent 8 }}
      lifecycle:
        preStop:
          exec:
            # Kubernetes removes the endpoint while the server still accepts requests.
            command: ["sleep", {{ int $server.preStopSeconds | quote }}]
      resources:
        {{- toYaml $server.resources | nindent 8 }}
      securityContext:
        {{- toYaml $server.securityContext | nindent 8 }}
      volumeMounts:
        # Uploaded files are spooled here.
        - name: spool
          mountPath: /tmp
        {{- if $isEmbedded }}
        - name: data
          mountPath: /var/lib/attestry
        {{- else if .Values.logState.existingClaim }}
        - name: log-state
          mountPath: /var/lib/attestry-log
        {{- end }}
        {{- range $key, $file := .Values.files }}
        {{- if include "attestry.server.fileSource" (list $ $key $file) }}
        - name: {{ $key | kebabcase }}
          mountPath: /etc/attestry/{{ $key | kebabcase }}
          readOnly: true
        {{- end }}
        {{- end }}
        {{- with $server.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    {{- with $server.extraContainers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  volumes:
    - name: spool
      emptyDir:
        sizeLimit: {{ $server.spoolSize }}
    {{- if $isEmbedded }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ default (include "attestry.fullname" .) .Values.embedded.existingClaim }}
    {{- else if .Values.logState.existingClaim }}
    - name: log-state
      persistentVolumeClaim:
        claimName: {{ .Values.logState.existingClaim }}
    {{- end }}
    {{- range $key, $file := .Values.files }}
    {{- with include "attestry.server.fileSource" (list $ $key $file) }}
    - name: {{ $key | kebabcase }}
      {{- . | nindent 6 }}
    {{- end }}
    {{- end }}
    {{- with $server.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
