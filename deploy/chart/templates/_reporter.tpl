{{/* The secret with the key of the reporter. */}}
{{- define "attestry.reporter.secretName" -}}
{{- if .Values.reporter.apiKey.existingSecret -}}
{{- tpl .Values.reporter.apiKey.existingSecret . -}}
{{- else -}}
{{- include "attestry.reporter.fullname" . -}}
{{- end -}}
{{- end -}}

{{/* Fails for values that contradict one another. */}}
{{- define "attestry.reporter.validate" -}}
{{- if empty .Values.reporter.environments -}}
{{- fail "reporter.environments is required: the environments to report, each with a name and a kind" -}}
{{- end -}}
{{- if and .Values.reporter.identity.enabled .Values.reporter.apiKey.existingSecret -}}
{{- fail "reporter.identity and reporter.apiKey exclude one another: a stored key would be used instead of the token" -}}
{{- end -}}
{{- end -}}

{{/* The pods of the reporter, for a Deployment and for a CronJob. */}}
{{- define "attestry.reporter.podTemplate" -}}
{{- $reporter := .Values.reporter -}}
{{- $isJob := eq $reporter.kind "CronJob" -}}
metadata:
  labels:
    {{- include "attestry.labels" (list . "reporter") | nindent 4 }}
    {{- with $reporter.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    checksum/config: {{ include (print $.Template.BasePath "/reporter-configmap.yaml") . | sha256sum }}
    {{- if and $reporter.metrics.podAnnotations (not $isJob) }}
    prometheus.io/scrape: "true"
    prometheus.io/port: {{ int $reporter.healthPort | quote }}
    prometheus.io/path: /metrics
    {{- end }}
    {{- with $reporter.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "attestry.serviceAccountName" (list . (include "attestry.reporter.fullname" .) $reporter.serviceAccount) }}
  # WHY: the links of a service `attestry` would set variables that this program reads.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ int $reporter.terminationGracePeriodSeconds }}
  {{- if $isJob }}
  restartPolicy: Never
  {{- end }}
  {{- with $reporter.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- toYaml $reporter.podSecurityContext | nindent 4 }}
  {{- with $reporter.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $reporter.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $reporter.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: reporter
      image: {{ include "attestry.image" (list . $reporter.image) }}
      imagePullPolicy: {{ $reporter.image.pullPolicy }}
      args:
        - report
        - all
        - /etc/attestry/reporters.yaml
        {{- if not $isJob }}
        - --watch
        - --health-port
        - {{ int $reporter.healthPort | quote }}
        {{- end }}
        - --output
        - jsonl
        {{- with $reporter.extraArgs }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      env:
        - name: ATTESTRY_URL
          value: {{ required "reporter.url is required: the address of the server, such as https://attestry.example.com" $reporter.url | quote }}
        - name: ATTESTRY_ORG
          value: {{ required "reporter.org is required: the org of the environments" $reporter.org | quote }}
        {{- if $reporter.identity.enabled }}
        # The command line exchanges the token of the pod for a key that ends soon, at each report.
        - name: ATTESTRY_ID_TOKEN_FILE
          value: /var/run/attestry-identity/token
        {{- with $reporter.identity.serviceAccount }}
        - name: ATTESTRY_SERVICE_ACCOUNT
          value: {{ . | quote }}
        {{- end }}
        {{- else }}
        - name: ATTESTRY_API_KEY_FILE
          value: /var/run/attestry/{{ $reporter.apiKey.key }}
        {{- end }}
        {{- if $reporter.ca.existingConfigMap }}
        # Trusted beside the usual certificates.
        - name: ATTESTRY_CA_FILE
          value: /etc/attestry-ca/{{ $reporter.ca.key }}
        {{- end }}
        {{- with $reporter.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $reporter.extraEnvFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if not $isJob }}
      ports:
        - name: health
          containerPort: {{ int $reporter.healthPort }}
      livenessProbe:
        {{- toYaml $reporter.livenessProbe | nindent 8 }}
      readinessProbe:
        {{- toYaml $reporter.readinessProbe | nindent 8 }}
      {{- end }}
      resources:
        {{- toYaml $reporter.resources | nindent 8 }}
      securityContext:
        {{- toYaml $reporter.securityContext | nindent 8 }}
      volumeMounts:
        - name: reporters
          mountPath: /etc/attestry
          readOnly: true
        {{- if $reporter.identity.enabled }}
        - name: identity
          mountPath: /var/run/attestry-identity
          readOnly: true
        {{- else }}
        - name: key
          mountPath: /var/run/attestry
          readOnly: true
        {{- end }}
        {{- if $reporter.ca.existingConfigMap }}
        - name: ca
          mountPath: /etc/attestry-ca
          readOnly: true
        {{- end }}
        {{- with $reporter.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: reporters
      configMap:
        name: {{ include "attestry.reporter.fullname" . }}
    {{- if $reporter.identity.enabled }}
    - name: identity
      projected:
        sources:
          - serviceAccountToken:
              # The server accepts a token only for its own address, and for 15 minutes.
              audience: {{ trimSuffix "/" $reporter.url | quote }}
              expirationSeconds: 600
              path: token
    {{- else }}
    - name: key
      secret:
        secretName: {{ include "attestry.reporter.secretName" . }}
        defaultMode: 0440
    {{- end }}
    {{- with $reporter.ca.existingConfigMap }}
    - name: ca
      configMap:
        name: {{ tpl . $ }}
    {{- end }}
    {{- with $reporter.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
