# docker build -t veil . && docker run --rm -it -p 8000:8000 veil studio --host 0.0.0.0 --port 8000 --no-browser
FROM python:3.12-slim
RUN useradd --create-home veil
COPY . /source
RUN pip install --no-cache-dir '/source[web,plots]' && rm -rf /source
USER veil
WORKDIR /home/veil
# Kernels are compiled for the processor of the machine that runs the image: mount /home/veil/.cache to keep them.
VOLUME /home/veil/.cache
ENTRYPOINT ["veil"]
CMD ["--help"]
