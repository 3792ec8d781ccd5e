{{/* The name of the chart, for labels. */}}
{{- define "attestry.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of every object of the server. It leaves room for the suffixes of other objects. */}}
{{- define "attestry.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains (include "attestry.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "attestry.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The name of every object of the reporter: that of the release, if it is a reporter's and has no server. */}}
{{- define "attestry.reporter.fullname" -}}
{{- $name := include "attestry.fullname" . -}}
{{- printf "%s-reporter" (ternary $name (trimSuffix "-reporter" $name) .Values.server.enabled) -}}
{{- end -}}

{{/* The name of the reporter's objects that have no namespace: with it, so that two releases do not share them. */}}
{{- define "attestry.reporter.clusterName" -}}
{{- $name := include "attestry.reporter.fullname" . -}}
{{- ternary $name (printf "%s-%s" .Release.Namespace $name) (eq .Release.Namespace $name) -}}
{{- end -}}

{{/* Labels by which a selector finds the pods of a component: (list $ "server"). */}}
{{- define "attestry.selectorLabels" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "attestry.name" $root }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* Labels of every object of a component: (list $ "server"). */}}
{{- define "attestry.labels" -}}
{{- $root := index . 0 -}}
{{ include "attestry.selectorLabels" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- with $root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* An image with its tag or its digest: (list $ .Values.server.image). */}}
{{- define "attestry.image" -}}
{{- $root := index . 0 -}}
{{- $image := index . 1 -}}
{{- $repository := ternary $image.repository (printf "%s/%s" $image.registry $image.repository) (empty $image.registry) -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository (default $root.Chart.AppVersion $image.tag) -}}
{{- end -}}
{{- end -}}

{{/* The service account of a component: (list $ "name" .Values.server.serviceAccount). */}}
{{- define "attestry.serviceAccountName" -}}
{{- $account := index . 2 -}}
{{- if $account.create -}}
{{- default (index . 1) $account.name -}}
{{- else -}}
{{- default "default" $account.name -}}
{{- end -}}
{{- end -}}

{{/*
The value of a setting as text. YAML reads on and off as booleans, and Helm reads every number as a float, whose own
text is 1.2e+06.
*/}}
{{- define "attestry.settingText" -}}
{{- if kindIs "bool" . -}}
{{- ternary "on" "off" . -}}
{{- else if kindIs "string" . -}}
{{- . -}}
{{- else -}}
{{- int64 . -}}
{{- end -}}
{{- end -}}

{{/* The base of links: the setting, or the first host of the ingress. */}}
{{- define "attestry.publicUrl" -}}
{{- $settings := default dict .Values.settings -}}
{{- $ingress := .Values.server.ingress -}}
{{- if $settings.publicUrl -}}
{{- $settings.publicUrl -}}
{{- else if and $ingress.enabled $ingress.hosts -}}
{{- printf "%s://%s%s" (ternary "http" "https" (empty $ingress.tls)) (first $ingress.hosts).host (default "" $settings.basePath) -}}
{{- end -}}
{{- end -}}

{{/* The name of an existing secret: (list $ .Values.secrets.databaseUrl "suffix of the default"). */}}
{{- define "attestry.secretName" -}}
{{- $root := index . 0 -}}
{{- $given := (index . 1).existingSecret -}}
{{- if $given -}}
{{- tpl $given $root -}}
{{- else -}}
{{- printf "%s-%s" (include "attestry.fullname" $root) (index . 2) -}}
{{- end -}}
{{- end -}}

{{/* The path of the metrics. The probes are also served without the base path. */}}
{{- define "attestry.metricsPath" -}}
{{- printf "%s/metrics" (default "" (default dict .Values.settings).basePath) -}}
{{- end -}}

{{/* The number of server pods: one of the embedded store, else two unless given. */}}
{{- define "attestry.replicas" -}}
{{- if eq .Values.store "embedded" -}}
1
{{- else -}}
{{- default 2 .Values.server.replicas | int -}}
{{- end -}}
{{- end -}}

{{/* Fails for values that contradict one another. */}}
{{- define "attestry.validate" -}}
{{- if and (eq .Values.store "embedded") .Values.server.enabled -}}
{{- if .Values.secrets.databaseUrl.existingSecret -}}
{{- fail "store: `embedded` and secrets.databaseUrl exclude one another: set store to `postgres` to use the database of the secret" -}}
{{- end -}}
{{- if or (gt (int (default 1 .Values.server.replicas)) 1) .Values.server.autoscaling.enabled -}}
{{- fail "store: `embedded` has one process on one volume: leave server.replicas at 1 and server.autoscaling off, or set store to `postgres`" -}}
{{- end -}}
{{- if .Values.migrations.job.enabled -}}
{{- fail "migrations.job is for the store `postgres`: the embedded store migrates when it starts" -}}
{{- end -}}
{{- end -}}
{{- if and .Values.migrations.job.enabled (not .Values.secrets.migrationDatabaseUrl.existingSecret) -}}
{{- fail "migrations.job needs secrets.migrationDatabaseUrl.existingSecret: the address of the database for the role that owns the tables" -}}
{{- end -}}
{{- if and .Values.server.ingress.enabled (empty .Values.server.ingress.hosts) -}}
{{- fail "server.ingress.hosts needs a host, such as attestry.example.com" -}}
{{- end -}}
{{- if and .Values.secrets.smtpUrl.existingSecret (not (default dict .Values.settings).smtpFrom) -}}
{{- fail "secrets.smtpUrl needs settings.smtpFrom: the address that mails come from" -}}
{{- end -}}
{{- end -}}
